import { Refusal } from '#domain/rules/refusal.ts';
import { isVouchedDomain } from './accounts.ts';

/** Who may become a user, and what new users get. */
export interface SignUpRules {
  /**
   * `open`: everybody. `invited`: those whom the app's own server invited or made, or an operator imported. `closed`: nobody for whom no
   * user was made before, and no invitation counts.
   */
  readonly policy: 'open' | 'invited' | 'closed';
  /** With `open`: only people who prove an address of one of these domains; empty for everybody. */
  readonly domains: readonly string[];
  /** The ids of the roles that users get who sign up or are invited. */
  readonly roles: readonly string[];
}

export const OPEN_TO_ALL: SignUpRules = { policy: 'open', domains: [], roles: [] };

/** A person who comes alone, and the address that they have proven, or must prove before they are in; null for none. */
export interface Visitor {
  readonly email: string | null;
}

/** How a new user comes: alone, by an invitation, or made by the app's own server or an operator. */
export type Arrival = Visitor | 'invited' | 'made';

/** True where everybody may sign up. Only there a reply may say that nobody has an address. */
export function isOpenToAll({ policy, domains }: SignUpRules): boolean {
  return policy === 'open' && domains.length === 0;
}

export function admits({ policy, domains }: SignUpRules, arrival: Arrival): boolean {
  if (arrival === 'made') return true;
  if (arrival === 'invited') return policy !== 'closed';
  if (policy !== 'open') return false;
  return domains.length === 0 || (arrival.email !== null && isVouchedDomain(domains, arrival.email));
}

/** Refuses a new user whom the project does not let in. */
export function checkArrival(rules: SignUpRules, arrival: Arrival): void {
  if (!admits(rules, arrival)) throw new Refusal('sign_up_refused');
}

/** How the row of a user was made: by a visitor's request or an invitation, or by the app's own server or an operator. */
export type StoredArrival = 'alone' | 'made';

/** A user who is stored, and has never come in. */
interface StoredNewcomer {
  /** Null where it is not known. */
  readonly arrival: StoredArrival | null;
  /** A user whom the server made as pending waits for an invitation. */
  readonly status: string;
  /** Whether a link of an invitation waits. */
  readonly is_invited: boolean;
}

/** An invitation is its link, which expires and can be revoked: the row of an invited person is like that of one who comes alone. */
export const storedArrival = (arrival: Arrival): StoredArrival => (arrival === 'made' ? 'made' : 'alone');

/** @param email the address by which the user comes; null for none */
export function arrivalOf({ arrival, status, is_invited }: StoredNewcomer, email: string | null): Arrival {
  if (arrival === 'made' && status === 'active') return 'made';
  return arrival === 'made' || is_invited ? 'invited' : { email };
}
