import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Caller } from '../sessions/current.ts';
import { codeHash } from './secrets.ts';
import type { Services } from '../services.ts';

/** Where the request for a link or code came from, as keyed hashes. */
export interface Asker {
  readonly ip_hash: string;
  readonly user_agent_hash: string;
}

export function askerOf({ keys }: Pick<Services, 'keys'>, { address, userAgent }: Caller): Asker {
  const hash = (kind: string, text: string): string => codeHash(keys.codeKey, `asker ${kind}`, text);
  return { ip_hash: hash('address', address), user_agent_hash: hash('user agent', userAgent) };
}

/** What the app's own server requires of who opens a link or enters a code. */
export type MatchOptions = Readonly<Record<string, unknown>>;

/** Refuses a link or code that is used elsewhere than where it was asked for, if the app's own server requires that. */
export function checkAsker(
  services: Pick<Services, 'keys'>,
  sent: { readonly [Hash in keyof Asker]: string | null },
  caller: Caller,
  options: MatchOptions = {},
): void {
  if (options['ip_match_required'] === true && caller.forMany === true) {
    throw new Refusal('bad_request', 'options.ip_match_required needs attributes.ip_address.');
  }
  const now = askerOf(services, caller);
  for (const [option, hash] of [
    ['ip_match_required', 'ip_hash'],
    ['user_agent_match_required', 'user_agent_hash'],
  ] as const) {
    const required = options[option] ?? false;
    if (typeof required !== 'boolean') throw new Refusal('bad_request', `options.${option} must be a boolean.`);
    if (required && sent[hash] !== now[hash]) throw new Refusal('attributes_mismatch');
  }
}
