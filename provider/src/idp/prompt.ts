import type { SessionRow } from '../sessions/tables.ts';
import { MINUTE_MS } from '../platform.ts';
import { Refusal } from '../http/refusal.ts';

/** OpenID Connect Core, section 3.1.2.1. */
export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof PROMPTS)[number];

/** A login is fresh for so long: the page that asks comes right after it, and has to be read. */
const FRESH_MS = 5 * MINUTE_MS;
/** Not a login: the user was not there. */
const NO_LOGIN = 'oauth_access_token_exchange';

/** True when no page may be shown, not even for an error. */
export function isSilent(prompt: string | undefined): boolean {
  return (prompt ?? '').split(' ').includes('none');
}

/** What the app wants the user to be asked. Refuses an unknown word, and `none` beside another. */
export function promptsIn(prompt: string | undefined): ReadonlySet<Prompt> {
  const words = (prompt ?? '').split(' ').filter((word) => word !== '');
  const prompts = words.map((word) => {
    const known = PROMPTS.find((each) => each === word);
    if (known === undefined) throw new Refusal('invalid_prompt');
    return known;
  });
  if (prompts.includes('none') && prompts.length > 1) throw new Refusal('invalid_prompt');
  return new Set(prompts);
}

/** When the user last proved who they are; null in a session that never saw them. */
export function lastLogin({ authentication_factors }: Pick<SessionRow, 'authentication_factors'>): Date | null {
  const times = authentication_factors
    .filter(({ type }) => type !== NO_LOGIN)
    .map(({ last_authenticated_at }) => Date.parse(last_authenticated_at));
  return times.length === 0 ? null : new Date(Math.max(...times));
}

/** How old the login may be, by `prompt` and `max_age`; null for any. Less than the time to read a page is not held to. */
export function loginAgeMs(prompts: ReadonlySet<Prompt>, maxAge: string | undefined): number | null {
  if (maxAge !== undefined && !/^\d{1,9}$/u.test(maxAge)) throw new Refusal('invalid_max_age');
  if (prompts.has('login')) return FRESH_MS;
  return maxAge === undefined ? null : Math.max(FRESH_MS, Number(maxAge) * 1000);
}

export function isFresh(now: number, row: Pick<SessionRow, 'authentication_factors'>, ageMs: number): boolean {
  const login = lastLogin(row);
  return login !== null && now - login.getTime() < ageMs;
}
