import { Refusal } from '#domain/rules/refusal.ts';
import type { RequestCaller } from '#provider/base/contract.ts';
import { codeHash } from '#provider/base/security/secrets.ts';
import type { Services } from './services.ts';

/** The origin of the request for a link or code, as keyed hashes. */
export interface RequestOriginHashes {
  readonly ip_hash: string;
  readonly user_agent_hash: string;
}

export function requestOriginHashes(
  { keys }: Pick<Services, 'keys'>,
  { address, userAgent }: RequestCaller,
): RequestOriginHashes {
  const hash = (kind: string, text: string): string => codeHash(keys.codeKey, `asker ${kind}`, text);
  return { ip_hash: hash('address', address), user_agent_hash: hash('user agent', userAgent) };
}

/** The conditions of the app's own server for opening a link or entering a code. */
export type MatchOptions = Readonly<Record<string, unknown>>;

/** Refuses a link or code that is not used where it was requested, if the app's own server requires that. */
export function checkRequestOrigin(
  services: Pick<Services, 'keys'>,
  origin: { readonly [Hash in keyof RequestOriginHashes]: string | null },
  caller: RequestCaller,
  options: MatchOptions = {},
): void {
  if (options['ip_match_required'] === true && caller.forMany === true) {
    throw new Refusal('bad_request', 'options.ip_match_required needs attributes.ip_address.');
  }
  const now = requestOriginHashes(services, caller);
  for (const [option, hash] of [
    ['ip_match_required', 'ip_hash'],
    ['user_agent_match_required', 'user_agent_hash'],
  ] as const) {
    const required = options[option] ?? false;
    if (typeof required !== 'boolean') throw new Refusal('bad_request', `options.${option} must be a boolean.`);
    if (required && origin[hash] !== now[hash]) throw new Refusal('attributes_mismatch');
  }
}
