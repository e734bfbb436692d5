import { PHONE_METHODS } from '#domain/contacts/channels.ts';
import type { Carrier, Carriers } from '../outbox/carrier.ts';
import type { GatewaySettings } from '#provider/project/settings/delivery.ts';
import type { Project } from '#provider/project/settings/project.ts';
import type { Templates } from '../texts/templates.ts';
import { SmtpCarrier } from './smtp-carrier.ts';
import { TwilioCarrier } from './twilio-carrier.ts';
import { WebhookCarrier } from './webhook-carrier.ts';

/** A carrier for each channel of messages that the project's settings configure. */
export function messageCarriers(
  project: Pick<Project, 'name' | 'delivery' | 'allow_loopback'>,
  templates: Templates | undefined,
): Carriers {
  const { smtp, ...gateways } = project.delivery;
  const gateway = (settings: GatewaySettings): Carrier => {
    const options = { allowPrivate: project.allow_loopback };
    return settings.gateway === 'twilio' ? new TwilioCarrier(settings, options) : new WebhookCarrier(settings, options);
  };
  const byPhone = PHONE_METHODS.flatMap((channel) => {
    const settings = gateways[channel];
    return settings === null ? [] : [[channel, gateway(settings)] as const];
  });
  return {
    ...(smtp === null ? {} : { email: new SmtpCarrier({ settings: smtp, project, templates }) }),
    ...Object.fromEntries(byPhone),
  };
}
