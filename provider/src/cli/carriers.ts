import { messageCarriers } from '../mail/carriers.ts';
import type { Carriers } from '../outbox/carrier.ts';
import type { Clock } from '../platform.ts';
import type { Project } from '../project/project.ts';
import type { Templates } from '../texts/templates.ts';
import { EventCarrier } from '../webhooks/event-carrier.ts';

/** Everything that this server delivers by itself. */
export function carriersFor(project: Project, templates: Templates | undefined, clock: Clock): Carriers {
  const { webhooks, allow_loopback: allowPrivate } = project;
  return {
    ...messageCarriers(project, templates),
    ...(webhooks.length === 0 ? {} : { webhook: new EventCarrier(webhooks, { allowPrivate }, () => clock.now()) }),
  };
}
