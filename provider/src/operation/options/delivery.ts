import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PHONE_METHODS } from '#domain/contacts/channels.ts';
import type { PhoneMethod } from '#domain/contacts/phone.ts';
import { templatesIn } from '#provider/messages/mail/template-files.ts';
import {
  GATEWAY_SECRET,
  GATEWAY_URL,
  MAIL_FROM,
  SMTP_DEFAULTS,
  SMTP_URL,
  TWILIO,
  TWILIO_DEFAULTS,
  type DeliverySettings,
  type GatewaySettings,
  type SmtpSettings,
  type TwilioSettings,
} from '#provider/project/settings/delivery.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { FieldError, text, type Reader } from '#provider/project/readers/readers.ts';
import { secretText } from '#provider/project/readers/secret-text.ts';
import { TemplateError, type Templates } from '#provider/messages/texts/templates.ts';
import type { OptionValues, OptionValue } from './option-values.ts';
import { OPTIONS, type OptionName, type OptionSpec } from './option-table.ts';
import { UsageError } from '#provider/base/usage-error.ts';

/** The options that override the section `delivery` of the project file. */
const DELIVERY_OPTIONS = [
  'smtpUrl',
  'mailFrom',
  ...PHONE_METHODS.flatMap((channel) => [`${channel}Url`, `${channel}Secret`] as const),
  'twilioAccountSid',
  'twilioAuthToken',
  'twilioFrom',
  'twilioMessagingServiceSid',
  'twilioWhatsappFrom',
  'twilioContentSid',
] as const satisfies readonly OptionName[];

export type DeliveryOptions = OptionValues<(typeof DELIVERY_OPTIONS)[number]>;

export const isOfDelivery = (name: string): boolean => DELIVERY_OPTIONS.some((each) => each === name);

function valueOf(option: OptionValue | undefined, read: Reader<string>): string | undefined {
  if (option === undefined) return undefined;
  try {
    return read(option.text, option.from);
  } catch (error) {
    if (error instanceof FieldError) throw new UsageError(`${error.path} must be ${error.must}.`);
    throw error;
  }
}

function required(value: string | undefined, option: OptionName, because: OptionValue | undefined): string {
  if (value !== undefined) return value;
  const { variable }: OptionSpec = OPTIONS[option];
  throw new UsageError(`Set ${variable} as well as ${because?.from ?? 'the others'}.`);
}

function smtpWith(settings: SmtpSettings | null, { smtpUrl, mailFrom }: DeliveryOptions): SmtpSettings | null {
  if (smtpUrl === undefined && mailFrom === undefined) return settings;
  const url = required(valueOf(smtpUrl, SMTP_URL) ?? settings?.url, 'smtpUrl', mailFrom);
  const from = required(valueOf(mailFrom, MAIL_FROM) ?? settings?.from, 'mailFrom', smtpUrl);
  return { ...SMTP_DEFAULTS, ...settings, url, from };
}

/** Twilio for one channel; null unless the options name a sender for it. */
function twilioWith(channel: PhoneMethod, options: DeliveryOptions): TwilioSettings | null {
  const { twilioAccountSid, twilioAuthToken, twilioFrom, twilioMessagingServiceSid, twilioWhatsappFrom } = options;
  const senders: Partial<Record<PhoneMethod, OptionValue | undefined>> = {
    sms: twilioMessagingServiceSid ?? twilioFrom,
    whatsapp: twilioWhatsappFrom,
  };
  const sender = senders[channel];
  if (sender === undefined) return null;
  if (channel === 'sms' && twilioFrom !== undefined && twilioMessagingServiceSid !== undefined) {
    throw new UsageError(`Set ${twilioFrom.from} or ${twilioMessagingServiceSid.from}, not both.`);
  }
  const isService = sender === twilioMessagingServiceSid;
  return {
    ...TWILIO_DEFAULTS,
    gateway: 'twilio',
    account_sid: required(valueOf(twilioAccountSid, TWILIO.account_sid), 'twilioAccountSid', sender),
    auth_token: required(valueOf(twilioAuthToken, secretText), 'twilioAuthToken', sender),
    from: isService ? null : (valueOf(sender, TWILIO.from) ?? null),
    messaging_service_sid: isService ? (valueOf(sender, TWILIO.messaging_service_sid) ?? null) : null,
    content_sid: channel === 'whatsapp' ? (valueOf(options.twilioContentSid, TWILIO.content_sid) ?? null) : null,
  };
}

function gatewayWith(
  channel: PhoneMethod,
  settings: GatewaySettings | null,
  options: DeliveryOptions,
): GatewaySettings | null {
  const { [`${channel}Url` as const]: url, [`${channel}Secret` as const]: secret } = options;
  const twilio = twilioWith(channel, options);
  if (url === undefined && secret === undefined) return twilio ?? settings;
  if (twilio !== null) throw new UsageError(`Set ${(url ?? secret)?.from} or the variables of Twilio, not both.`);
  const webhook = settings?.gateway === 'webhook' ? settings : undefined;
  return {
    gateway: 'webhook',
    url: required(valueOf(url, GATEWAY_URL) ?? webhook?.url, `${channel}Url`, secret),
    secret: required(valueOf(secret, GATEWAY_SECRET) ?? webhook?.secret, `${channel}Secret`, url),
  };
}

const READERS: Readonly<Record<string, Reader<string>>> = {
  smtpUrl: SMTP_URL,
  mailFrom: MAIL_FROM,
  ...Object.fromEntries(PHONE_METHODS.flatMap((channel) => [[`${channel}Url`, GATEWAY_URL], [`${channel}Secret`, GATEWAY_SECRET]])), // prettier-ignore
  twilioAccountSid: TWILIO.account_sid,
  twilioAuthToken: secretText,
  twilioFrom: TWILIO.from,
  twilioMessagingServiceSid: TWILIO.messaging_service_sid,
  twilioWhatsappFrom: TWILIO.from,
  twilioContentSid: TWILIO.content_sid,
};

/** What reads each given option by itself, whatever the project file has. */
export function deliveryReads(options: DeliveryOptions): readonly (() => unknown)[] {
  const entries = Object.entries(options) as readonly (readonly [string, OptionValue | undefined])[];
  return entries.map(
    ([name, option]) =>
      () =>
        valueOf(option, READERS[name] ?? text),
  );
}

/** The settings of the project file, overridden by the options. Throws a UsageError that names the flag or variable. */
export function deliveryWith(settings: DeliverySettings, options: DeliveryOptions): DeliverySettings {
  const { twilioAccountSid, twilioAuthToken } = options;
  const smtp = smtpWith(settings.smtp, options);
  const gateways = PHONE_METHODS.map((channel) => [channel, gatewayWith(channel, settings[channel], options)] as const);
  const account = twilioAccountSid ?? twilioAuthToken;
  if (account !== undefined && gateways.every(([, gateway]) => gateway?.gateway !== 'twilio')) {
    throw new UsageError(`${account.from} has no sender: set PORTICO_TWILIO_FROM or PORTICO_TWILIO_WHATSAPP_FROM too.`);
  }
  return { ...settings, smtp, ...Object.fromEntries(gateways) };
}

const DEFAULT_FOLDER = 'templates';

/** The project's custom templates, from the folder of the project file. Throws a UsageError that names the faulty file. */
export function templatesOf(
  { delivery }: Pick<Project, 'delivery'>,
  projectFile: string | null,
): Templates | undefined {
  if (projectFile === null) return undefined;
  const folder = resolve(dirname(projectFile), delivery.templates ?? DEFAULT_FOLDER);
  const exists = existsSync(folder) && statSync(folder).isDirectory();
  if (!exists && delivery.templates === null) return undefined;
  if (!exists) throw new UsageError(`${folder}, which delivery.templates names, is not a folder.`);
  try {
    return templatesIn(folder);
  } catch (error) {
    if (error instanceof TemplateError) throw new UsageError(`In ${folder}, ${error.message}.`);
    throw new UsageError(`${folder} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`);
  }
}
