import { isSecureUrl } from '#domain/safe-url.ts';
import { webhookKeyFrom } from '#provider/base/http/signed-request.ts';
import { EVENT_TYPES, type EventType } from './webhook-events.ts';
import { distinct, FieldError, listOf, Mistakes, object, oneOf, textThat, type Reader } from '../readers/readers.ts';
import { checkOutside } from '../readers/outside-address.ts';
import { secretThat } from '../readers/secret-text.ts';
import { urlIn } from '../readers/url-text.ts';

/** A URL of the app's own server, and the events that it receives. */
export interface WebhookSettings {
  readonly url: string;
  /** Each of them signs, so that a receiver accepts messages during the whole replacement of one by another. */
  readonly secret: readonly string[];
  /** Null for all. */
  readonly events: readonly EventType[] | null;
}

/** The URL of an operator's own server, which verifies signed requests. */
export const SIGNED_URL = textThat('an https URL without user and fragment', (value) => {
  const url = urlIn(value);
  return url !== null && url.username + url.password === '' && !value.includes('#') && isSecureUrl(url);
});

const MOST_SECRETS = 4;

const secret = secretThat('whsec_ and 24 to 64 bytes in base64', (text) => webhookKeyFrom(text) !== null);

/** One secret, or a list of simultaneously valid ones. */
export const signingSecrets: Reader<readonly string[]> = (value, path) => {
  const items = Array.isArray(value) ? listOf(secret)(value, path) : [secret(value, path)];
  if (items.length > 0 && items.length <= MOST_SECRETS) return items;
  throw new FieldError(path, `one secret, or an array of 1 to ${MOST_SECRETS}`);
};

export const webhooks: Reader<readonly WebhookSettings[]> = distinct(
  'url',
  ({ url }) => url,
  listOf(
    object<WebhookSettings>(
      { url: SIGNED_URL, secret: signingSecrets, events: listOf(oneOf(...EVENT_TYPES)) },
      { events: null },
    ),
  ),
);

/** Refuses a URL that would never be called. */
export function checkWebhooks(project: {
  readonly webhooks: readonly WebhookSettings[];
  readonly allow_loopback: boolean;
}): void {
  const mistakes = new Mistakes();
  project.webhooks.forEach(({ url }, index) => {
    mistakes.attempt(() => checkOutside(url, `webhooks[${index}].url`, project.allow_loopback));
  });
  mistakes.check();
}
