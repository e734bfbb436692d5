import { monotonicClock, type Clock } from './platform.ts';

/** Gives the operator one sentence, which never contains data of a request. */
export type Warn = (sentence: string) => void;

/** The settings without which a link or redirect of one browser can be finished in another. */
const PKCE_SETTINGS = [
  'pkce_required_for_email_magic_links',
  'pkce_required_for_password_resets',
  'pkce_required_for_oauth',
  'pkce_required_for_sso',
] as const;

/** A sentence for the operator about the PKCE settings that the project turns off, or null if all are on. */
export function pkceWarning(project: Readonly<Record<(typeof PKCE_SETTINGS)[number], boolean>>): string | null {
  const off = PKCE_SETTINGS.filter((setting) => !project[setting]);
  if (off.length === 0) return null;
  return `the project turns off ${off.join(', ')}: an attacker can make a person use the attacker’s link or redirect, or use a stolen one`;
}

/** A sentence for the operator about messages that can have no link, or null. */
export function issuerWarning({
  issuer,
  mfa,
}: {
  readonly issuer: string | null;
  readonly mfa: { readonly policy: unknown } | null;
}): string | null {
  if (issuer !== null || mfa === null || mfa.policy === 'off') return null;
  return 'the project has no issuer: messages about changes of an account have no link that undoes them, and logins offer no recovery of lost second factors';
}

/** Repeats the same sentence at most once in the given time: a warning about an outage must not fill the log. */
export function atMostEvery(ms: number, warn: Warn, clock: Clock = monotonicClock): Warn {
  const last = new Map<string, number>();
  return (sentence) => {
    const now = clock.now();
    if (now - (last.get(sentence) ?? -Infinity) < ms) return;
    last.set(sentence, now);
    warn(sentence);
  };
}
