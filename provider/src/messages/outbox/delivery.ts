import { OTP_METHODS } from '#domain/contacts/channels.ts';
import type { Log } from '#provider/base/log/log.ts';
import type { Project } from '#provider/project/settings/project.ts';
import type { Services } from '../services.ts';
import type { Carriers } from './carrier.ts';
import type { Lane } from './queue.ts';
import type { Channel } from '../channel.ts';
import { DeliveryWorker, type WorkerPatience } from './worker.ts';

/** How many messages of a channel, and events for one webhook, a process delivers at once. */
const AT_ONCE = 10;
const AT_ONCE_TO_WEBHOOK = 4;

/** The channels with a carrier. */
export function carriedBy(carriers: Carriers): ReadonlySet<Channel> {
  return new Set(Object.keys(carriers) as Channel[]);
}

/** Each webhook has a separate lane, so that one that does not answer does not delay others. */
function lanesOf(
  carriers: Carriers,
  webhooks: readonly { readonly url: string }[],
): readonly (Lane & { limit: number })[] {
  const messages = OTP_METHODS.filter((channel) => carriers[channel] !== undefined);
  const urls = carriers.webhook === undefined ? [] : new Set(webhooks.map(({ url }) => url));
  return [
    ...messages.map((channel) => ({ channel, recipient: null, limit: AT_ONCE })),
    ...(carriers.logout === undefined ? [] : [{ channel: 'logout' as const, recipient: null, limit: AT_ONCE }]),
    ...Array.from(urls, (recipient) => ({ channel: 'webhook' as const, recipient, limit: AT_ONCE_TO_WEBHOOK })),
  ];
}

/** Delivers the messages of this and other processes, as far as there are carriers; null if there are none. */
export function startDelivery(
  services: Pick<Services, 'db' | 'clock' | 'report' | 'metrics' | 'inbox' | 'dev' | 'project'> & {
    readonly log?: Pick<Log, 'warn'>;
  },
  carriers: Carriers,
  patience: Partial<WorkerPatience> = {},
): { readonly stop: () => Promise<void> } | null {
  const { dev, project } = services;
  const lanes = lanesOf(carriers, project.webhooks);
  if (lanes.length === 0) return null;
  const worker = new DeliveryWorker({ ...services, carriers, lanes, keepContent: dev, patience });
  const unsubscribe = services.inbox.subscribe(
    () => worker.wake(),
    () => undefined,
  );
  return {
    stop() {
      unsubscribe();
      return worker.stop();
    },
  };
}

/** A variable that configures a carrier of the channel, as a hint for the operator. */
const carrierVariable = (channel: (typeof OTP_METHODS)[number]): string =>
  channel === 'email' ? 'PORTICO_SMTP_URL' : `PORTICO_${channel.toUpperCase()}_URL`;

/** A sentence for the operator at the start, about messages that this server does not deliver; null if there are none. */
export function undeliveredText(
  carriers: Carriers,
  { sms_countries: countries }: Pick<Project, 'sms_countries'>,
  dev: boolean,
): string | null {
  // A project without countries sends no text messages.
  const used = OTP_METHODS.filter((channel) => channel === 'email' || countries?.length !== 0);
  const without = used.filter((channel) => carriers[channel] === undefined);
  if (without.length === 0 || dev) return null;
  const names = new Intl.ListFormat('en').format(without);
  const variables = without.map((channel) => carrierVariable(channel)).join(', ');
  return `messages by ${names} wait in the table outbox for your own program, because no carrier is set for them (such as by ${variables})`;
}
