import { isPasscodeKind, REFUSAL_KIND, type LinkKind, type MessageKind, type PasscodeKind } from './kinds.ts';
import { fill, type Wording } from './wording.ts';

/** The values of a message. */
export interface MessageValues {
  readonly kind: MessageKind;
  readonly project: string;
  readonly code?: string | undefined;
  readonly link?: string | undefined;
  readonly minutes: number;
  /** In a password reset: the link that logs in instead. */
  readonly login_link?: string | undefined;
  readonly login_minutes?: number | undefined;
  /** When it was requested. */
  readonly at: Date;
  /** The browser and system of the request, such as `Firefox (Windows)`. */
  readonly device?: string | undefined;
  /** In a message with a code: the site whose page can fill in the code. */
  readonly autofill_site?: string | undefined;
}

interface Action {
  readonly label: string;
  readonly url: string;
}

/** The sentences of a message, from which its plain text and its HTML are made. */
export interface MessageContents {
  readonly subject: string;
  readonly lead: string;
  /** Absent in a message with a code, because the code is the largest element. */
  readonly heading?: string;
  readonly intro: string;
  readonly code?: string;
  readonly warning?: string;
  readonly action?: Action & { readonly copy: string };
  readonly instead?: Action & { readonly lead: string };
  /** The lifetime of the code or link, and whether it works once; in a message without any, what the recipient can do. */
  readonly validity: string;
  /** In plain text: the validity, and advice for a recipient who did not request the message. */
  readonly terms: string;
  readonly requestNote: string;
  readonly ignore: string;
  readonly project: string;
  /** The line that binds the code to a site, for programs that fill in codes. */
  readonly autofillLine?: string;
}

/** The contents of the message, in the wording's language. */
export function contentsOf(wording: Wording, values: MessageValues): MessageContents {
  const { texts } = wording;
  const { kind, project, at, device } = values;
  const words = { project, code: values.code ?? '', duration: wording.duration(values.minutes) };
  const say = (text: string): string => fill(text, words);
  const requestNote = fill(device === undefined ? texts.askedAt : texts.requestNote, {
    time: wording.time(at),
    device: device ?? '',
  });
  const validity = say(texts.validity);
  const ignore = ignored();
  const alternative = instead();
  const limits = alternative === undefined ? validity : texts.instead.validity;
  const shared = { project, validity, requestNote, ignore, terms: `${limits}${wording.space}${ignore}` };
  if (kind === REFUSAL_KIND) return { ...shared, ...refusalContents() };
  if (isPasscodeKind(kind)) return { ...shared, ...passcode(kind) };
  return { ...shared, ...linked(kind), ...(alternative === undefined ? {} : { instead: alternative }) };

  function ignored(): string {
    if (kind === 'invite_link') return texts.ignoreInvitation;
    return kind === 'reset_password' ? texts.ignoreReset : texts.ignore;
  }

  function refusalContents() {
    const { subject, heading, intro, advice } = texts.refusal;
    const lead = say(intro);
    const text = say(advice);
    const end = { validity: text, terms: `${text}${wording.space}${ignore}` };
    return { subject: say(subject), lead, heading: say(heading), intro: lead, ...end };
  }

  function passcode(of: PasscodeKind) {
    const { subject, lead, intro, warning } = texts.passcode;
    return {
      subject: say(subject),
      lead: say(lead),
      intro: say(intro[of]),
      code: words.code,
      warning,
      ...(values.autofill_site === undefined ? {} : { autofillLine: boundCode(values.autofill_site, words.code) }),
    };
  }

  function linked(of: LinkKind) {
    const { subject, lead, heading, intro, button } = texts.links[of];
    return {
      subject: say(subject),
      lead: say(lead),
      heading: say(heading),
      intro: say(intro),
      action: { label: button, url: values.link ?? '', copy: texts.copyLink },
    };
  }

  function instead() {
    const { login_link: url, login_minutes: minutes } = values;
    if (url === undefined || minutes === undefined) return undefined;
    const { lead, label } = texts.instead;
    return { lead: fill(lead, { duration: wording.duration(minutes) }), label, url };
  }
}

/**
 * The format of domain-bound codes, https://wicg.github.io/sms-one-time-codes/: a browser, or the mail program of some systems, offers the
 * code only on that site. The line must be the last of its message.
 */
const boundCode = (site: string, code: string): string => `@${site} #${code}`;

/** The plain text of an email. */
export function plainText({ lead, action, instead, terms, requestNote, autofillLine }: MessageContents): string {
  const lines = [lead];
  if (action !== undefined) lines.push(action.url);
  if (instead !== undefined) lines.push(instead.lead, instead.url);
  lines.push(terms, '', requestNote);
  if (autofillLine !== undefined) lines.push('', autofillLine);
  return lines.join('\n');
}

/** A text message. Its last line lets a browser on that site fill in the code (WebOTP). */
export function shortText({ texts }: Wording, values: MessageValues): string {
  const { project, code = '', autofill_site: site } = values;
  return `${fill(texts.passcode.short, { project, code })}${site === undefined ? '' : `\n\n${boundCode(site, code)}`}`;
}
