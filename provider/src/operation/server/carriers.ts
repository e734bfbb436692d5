import { messageCarriers } from '#provider/messages/mail/carriers.ts';
import type { Carrier, Carriers } from '#provider/messages/outbox/carrier.ts';
import type { Clock } from '#provider/base/platform.ts';
import type { Project } from '#provider/project/settings/project.ts';
import type { Templates } from '#provider/messages/texts/templates.ts';
import { EventCarrier } from '#provider/messages/webhooks/event-carrier.ts';

interface Clocks {
  /** The clock by which messages expire. */
  readonly clock: Clock;
  /** The real time, which receivers use to check signatures. */
  readonly realClock: Clock;
}

/** Everything that this server itself delivers. */
export function carriersFor(
  project: Project,
  templates: Templates | undefined,
  { clock, realClock }: Clocks,
): Carriers {
  const { webhooks, allow_loopback: allowPrivate } = project;
  const messages = messageCarriers(project, templates);
  return {
    ...(clock === realClock ? messages : inRealTime(messages, { clock, realClock })),
    ...(webhooks.length === 0 ? {} : { webhook: new EventCarrier(webhooks, { allowPrivate }, () => realClock.now()) }),
  };
}

/** Tells receivers a message's expiry in real time: a developer may have changed this server's clock, but not theirs. */
function inRealTime(carriers: Carriers, { clock, realClock }: Clocks): Carriers {
  const timed = (carrier: Carrier): Carrier => ({
    deliver(parcel, signal) {
      const ttlMs = parcel.expiresAt.getTime() - clock.now();
      return carrier.deliver({ ...parcel, expiresAt: new Date(realClock.now() + ttlMs) }, signal);
    },
    close: () => carrier.close(),
  });
  return Object.fromEntries(Object.entries(carriers).map(([channel, carrier]) => [channel, timed(carrier)]));
}
