import { createPrivateKey, type KeyObject } from 'node:crypto';
import { PHONE_METHODS } from '#domain/contacts/channels.ts';
import type { PhoneMethod } from '#domain/contacts/phone.ts';
import { LANGUAGES, type Language } from '#domain/widget/language.ts';
import { isRecord } from '#domain/shape.ts';
import { parsedUrl } from '#domain/rules/redirects.ts';
import { senderFrom, smtpServerFrom } from '../readers/smtp-address.ts';
import { webhookKeyFrom } from '#provider/base/http/signed-request.ts';
import { checkOutside } from '../readers/outside-address.ts';
import { FieldError, flag, Mistakes, object, oneOf, text, textThat, whole, type Reader } from '../readers/readers.ts';
import { secretText, secretThat } from '../readers/secret-text.ts';
import { urlIn } from '../readers/url-text.ts';

export interface DkimSettings {
  readonly domain: string;
  readonly selector: string;
  /** An RSA key in PEM. */
  readonly private_key: string;
}

export interface SmtpSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string;
  /** `login@example.com` or `Example <login@example.com>`; the default name is the project's. */
  readonly from: string;
  readonly reply_to: string | null;
  /** Sends without TLS if the server does not support it, and to a server whose certificate cannot be checked. */
  readonly allow_insecure: boolean;
  readonly connections: number;
  readonly dkim: DkimSettings | null;
}

export interface TwilioSettings {
  readonly gateway: 'twilio';
  readonly base_url: string;
  readonly account_sid: string;
  readonly auth_token: string;
  /** The sending number or name. */
  readonly from: string | null;
  /** Instead of `from`. */
  readonly messaging_service_sid: string | null;
  /** The approved template of WhatsApp messages, and which of its variables is the code. */
  readonly content_sid: string | null;
  readonly content_code_variable: string;
}

export interface WebhookGatewaySettings {
  readonly gateway: 'webhook';
  readonly url: string;
  /** `whsec_` and base64, in the format of Standard Webhooks. */
  readonly secret: string;
}

export type GatewaySettings = TwilioSettings | WebhookGatewaySettings;

/** The same value for every channel that reaches a phone. */
const ofEveryChannel = <Value>(value: Value) =>
  Object.fromEntries(PHONE_METHODS.map((channel) => [channel, value])) as Readonly<Record<PhoneMethod, Value>>;

/** How messages are delivered to people. */
export interface DeliverySettings extends Readonly<Record<PhoneMethod, GatewaySettings | null>> {
  /** The language of messages if no supported one was requested. */
  readonly locale: Language;
  /** The folder of the project's own templates, relative to the project file; null for `templates`, if it exists. */
  readonly templates: string | null;
  readonly smtp: SmtpSettings | null;
}

export const NO_DELIVERY: DeliverySettings = {
  locale: 'en',
  templates: null,
  smtp: null,
  ...ofEveryChannel(null),
};

export const SMTP_DEFAULTS = { reply_to: null, allow_insecure: false, connections: 5, dkim: null } as const;
export const TWILIO_DEFAULTS = {
  base_url: 'https://api.twilio.com',
  from: null,
  messaging_service_sid: null,
  content_sid: null,
  content_code_variable: '1',
} as const;

/** Reads a value that a function can parse. */
const parsedBy =
  (must: string, parse: (input: string) => unknown): Reader<string> =>
  (value, path) => {
    const input = text(value, path);
    if (parse(input) === null) throw new FieldError(path, must);
    return input;
  };

export const SMTP_URL = secretThat(
  'smtp://user:password@host:587 or smtps://…, with the user and password URL-encoded and nothing after the port',
  (url) => smtpServerFrom(url) !== null,
);
export const MAIL_FROM = parsedBy('an address, such as login@example.com or Example <login@example.com>', senderFrom);
const DKIM_KEY = secretThat('an RSA private key of 1024 bits or more, in PEM', (key) => signingKeyFrom(key) !== null);

const isWebUrl = (address: string): boolean => {
  const url = urlIn(address);
  return url !== null && /^https?:$/u.test(url.protocol) && url.username + url.password === '' && url.hash === '';
};
export const GATEWAY_URL = textThat('an http or https URL without user and fragment', isWebUrl);
export const GATEWAY_SECRET = secretThat('whsec_ and 24 to 64 bytes in base64', (secret) => webhookKeyFrom(secret) !== null); // prettier-ignore
const sid = (prefix: string): Reader<string> =>
  textThat(`${prefix} and 32 hexadecimal digits`, (id) => new RegExp(`^${prefix}[\\da-f]{32}$`, 'iu').test(id));
export const TWILIO = {
  account_sid: sid('AC'),
  messaging_service_sid: sid('MG'),
  content_sid: sid('HX'),
  from: textThat('a number in the E.164 format, or a sender of 1 to 11 letters, digits and spaces', (value) =>
    /^(?:\+[1-9]\d{4,14}|\d{3,8}|[A-Za-z\d ]{1,11})$/u.test(value),
  ),
} as const;

const HOST_NAME = textThat('a domain name', (value) => parsedUrl(`https://${value}`)?.host === value);
const dkim = object<DkimSettings>({
  domain: HOST_NAME,
  selector: textThat('a DNS label', (value) => /^[a-z\d](?:[a-z\d.-]{0,61}[a-z\d])?$/iu.test(value)),
  private_key: DKIM_KEY,
});

const smtp = object<SmtpSettings>(
  {
    url: SMTP_URL,
    from: MAIL_FROM,
    reply_to: MAIL_FROM,
    allow_insecure: flag,
    connections: whole(1, 100),
    dkim,
  },
  SMTP_DEFAULTS,
);

const twilio = object<TwilioSettings>(
  {
    gateway: oneOf('twilio'),
    base_url: textThat(
      'an http or https URL without user, query and fragment',
      (value) => isWebUrl(value) && !value.includes('?'),
    ),
    account_sid: TWILIO.account_sid,
    auth_token: secretText,
    from: TWILIO.from,
    messaging_service_sid: TWILIO.messaging_service_sid,
    content_sid: TWILIO.content_sid,
    content_code_variable: textThat('the name of a variable', (value) => /^\w{1,32}$/u.test(value)),
  },
  TWILIO_DEFAULTS,
);

const webhook = object<WebhookGatewaySettings>({
  gateway: oneOf('webhook'),
  url: GATEWAY_URL,
  secret: GATEWAY_SECRET,
});

/** Twilio needs one sender, whatever else is wrong. */
function checkSender(settings: Readonly<Record<string, unknown>>, path: string): void {
  const { from = null, messaging_service_sid: service = null } = settings;
  if ((from === null) === (service === null)) {
    throw new FieldError(`${path}.from`, 'given, or messaging_service_sid instead of it');
  }
}

const gateway: Reader<GatewaySettings> = (value, path) => {
  if (isRecord(value) && value['gateway'] === 'webhook') return webhook(value, path);
  if (!isRecord(value) || value['gateway'] !== 'twilio') {
    throw new FieldError(isRecord(value) ? `${path}.gateway` : path, 'twilio or webhook');
  }
  const mistakes = new Mistakes();
  const settings = mistakes.attempt(() => twilio(value, path));
  mistakes.attempt(() => checkSender(value, path));
  mistakes.check(settings);
  return settings as TwilioSettings;
};

export const delivery: Reader<DeliverySettings> = object<DeliverySettings>(
  {
    locale: oneOf(...LANGUAGES),
    templates: textThat('the path of a folder', (value) => value !== '' && !value.includes('\0')),
    smtp,
    ...ofEveryChannel(gateway),
  },
  NO_DELIVERY,
);

/** Refuses gateways that would never be called. */
export function checkGateways(project: {
  readonly delivery: DeliverySettings;
  readonly allow_loopback: boolean;
}): void {
  const mistakes = new Mistakes();
  for (const channel of PHONE_METHODS) {
    const settings = project.delivery[channel];
    if (settings === null) continue;
    const [field, url] = settings.gateway === 'twilio' ? ['base_url', settings.base_url] : ['url', settings.url];
    mistakes.attempt(() => checkOutside(url, `delivery.${channel}.${field}`, project.allow_loopback));
  }
  mistakes.check();
}

const MIN_DKIM_BITS = 1024;

/** An RSA private key in PEM; null for anything else. Mail servers ignore signatures with shorter keys (RFC 8301). */
function signingKeyFrom(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= MIN_DKIM_BITS ? key : null;
  } catch {
    return null;
  }
}
