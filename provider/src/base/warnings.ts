import { isSecureUrl } from '#domain/safe-url.ts';
import { monotonicClock, type Clock } from './platform.ts';

/** Shows the operator one sentence, which never contains data of a request. */
export type Warn = (sentence: string) => void;

/** The settings that keep a link or redirect of one browser from being finished in another. */
const PKCE_SETTINGS = [
  'pkce_required_for_email_magic_links',
  'pkce_required_for_password_resets',
  'pkce_required_for_oauth',
  'pkce_required_for_sso',
] as const;

/** A warning about the PKCE settings that the project turns off, or null if all are on. */
export function pkceWarning(project: Readonly<Record<(typeof PKCE_SETTINGS)[number], boolean>>): string | null {
  const off = PKCE_SETTINGS.filter((setting) => !project[setting]);
  if (off.length === 0) return null;
  return `the project turns off ${off.join(', ')}: an attacker can make a person use the attacker’s link or redirect, or use a stolen one`;
}

/** A warning about messages that cannot contain a link, or null. */
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

/** A warning about a test project's token in a live project, or the other way round, or null. */
function tokenWarning({
  project_id,
  public_token,
}: Readonly<Record<'project_id' | 'public_token', string>>): string | null {
  const [ofProject, ofToken] = [
    /^project-(live|test)-/u.exec(project_id),
    /^public-token-(live|test)-/u.exec(public_token),
  ];
  if (ofProject === null || ofToken === null || ofProject[1] === ofToken[1]) return null;
  return `project_id has -${ofProject[1]}- and public_token -${ofToken[1]}-: take both from one project`;
}

/** A warning about an insecure address of this server, or null. */
function addressWarning({ issuer }: { readonly issuer: string | null }): string | null {
  const url = issuer === null ? null : new URL(issuer);
  if (url === null || isSecureUrl(url)) return null;
  return 'issuer is http: what people send is not encrypted, and their browsers offer no passkeys. Set it to the https address of this server';
}

/** The warnings about a project at the start, which goes on. */
export function projectWarnings(
  project: Parameters<typeof pkceWarning>[0] & Parameters<typeof issuerWarning>[0] & Parameters<typeof tokenWarning>[0],
): readonly string[] {
  const found = [pkceWarning(project), issuerWarning(project), tokenWarning(project), addressWarning(project)];
  return found.filter((warning) => warning !== null);
}

/** Repeats the same sentence at most once in the given time, so that warnings about an outage do not fill the log. */
export function atMostEvery(ms: number, warn: Warn, clock: Clock = monotonicClock): Warn {
  const last = new Map<string, number>();
  return (sentence) => {
    const now = clock.now();
    if (now - (last.get(sentence) ?? -Infinity) < ms) return;
    last.set(sentence, now);
    warn(sentence);
  };
}
