import type { PhoneMethod } from '#domain/contacts/phone.ts';
import { agentNames } from '#domain/sessions/user-agent.ts';
import type { Draft } from '../outbox/store.ts';
import type { Services } from '../services.ts';
import type { RequestCaller } from '#provider/base/contract.ts';
import { contentsOf, plainText, shortText, type MessageValues } from './contents.ts';
import { REFUSAL_KIND, type MessageKind, type PasscodeKind } from './kinds.ts';
import { wordingFor, type Wording } from './wording.ts';

interface MessageContext {
  readonly caller: RequestCaller;
  /** A BCP 47 tag. */
  readonly locale: string | undefined;
  /** The lifetime of the code or link. */
  readonly minutes: number;
}

interface Mail extends MessageContext {
  readonly kind: MessageKind;
  readonly template_id: string | undefined;
  readonly code?: string;
  readonly link?: string;
  /** The site whose page can fill in the code. */
  readonly autofill_site?: string;
  /** In a password reset: another link, which logs in. */
  readonly login?: { readonly link: string; readonly minutes: number };
}

interface Text extends MessageContext {
  readonly channel: PhoneMethod;
  readonly kind: PasscodeKind;
  readonly code: string;
  /** The site whose page can fill in the code. */
  readonly autofill_site?: string;
}

export type WrittenMessage = Omit<Draft<MessageKind>, 'to' | 'user_id'>;

/** The description of the device, such as `Firefox (Windows)`. */
function deviceOf({ userAgent }: RequestCaller): string | undefined {
  const { browser, system } = agentNames(userAgent);
  return browser !== null && system !== null ? `${browser} (${system})` : (browser ?? system ?? undefined);
}

function wordingOf({ project }: Pick<Services, 'project'>, locale: string | undefined): Wording {
  return wordingFor(locale, project.delivery.locale);
}

/** Writes a mail. Its HTML is made at its delivery, from the data in the outbox. */
export function writeMail(services: Pick<Services, 'clock' | 'project' | 'templates'>, mail: Mail): WrittenMessage {
  const { kind, caller, minutes, template_id, code, link, login, autofill_site } = mail;
  const wording = wordingOf(services, mail.locale);
  const device = deviceOf(caller);
  const at = new Date(services.clock.now());
  const values = {
    project: services.project.name,
    minutes,
    at: at.toISOString(),
    ...(device === undefined ? {} : { device }),
    ...(autofill_site === undefined ? {} : { autofill_site }),
    ...(login === undefined ? {} : { login_link: login.link, login_minutes: login.minutes }),
  };
  const messageValues: MessageValues = { ...values, at, kind, code, link };
  const custom = template_id === undefined ? null : services.templates?.write(template_id, wording, messageValues);
  return {
    channel: 'email',
    kind,
    locale: wording.language,
    template_id,
    values,
    ...(custom ?? writtenHere(wording, messageValues)),
    minutes: Math.max(minutes, login?.minutes ?? 0),
    ...(code === undefined ? {} : { code }),
    ...(link === undefined ? {} : { link }),
  };
}

function writtenHere(wording: Wording, values: MessageValues): Pick<Draft, 'subject' | 'text'> {
  const contents = contentsOf(wording, values);
  return { subject: contents.subject, text: plainText(contents) };
}

/** Writes the mail to an address that lets nobody in. No template of the project is for it. */
export function writeRefusal(
  services: Pick<Services, 'clock' | 'project' | 'templates'>,
  context: MessageContext,
): WrittenMessage {
  return writeMail(services, { ...context, kind: REFUSAL_KIND, template_id: undefined });
}

/** Writes a text message. */
export function writeText(services: Pick<Services, 'clock' | 'project'>, message: Text): WrittenMessage {
  const { channel, kind, caller, minutes, code, autofill_site } = message;
  const wording = wordingOf(services, message.locale);
  const at = new Date(services.clock.now());
  const device = deviceOf(caller);
  const { name: project } = services.project;
  return {
    channel,
    kind,
    locale: wording.language,
    values: { project, minutes, ...(autofill_site === undefined ? {} : { autofill_site }) },
    subject: '',
    text: shortText(wording, { kind, project, code, minutes, at, device, autofill_site }),
    code,
    minutes,
  };
}
