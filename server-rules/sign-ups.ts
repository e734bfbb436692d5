import { Refusal } from '../src/domain/rules/refusal.ts';
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

/** A user who is stored, and has never come in. */
interface StoredNewcomer {
  readonly status: string;
  /** Whether the app's own server made the user, or gave them something. */
  readonly managed: boolean;
  /** Whether a link of an invitation waits. */
  readonly is_invited: boolean;
}

/** @param email the address by which the user comes; null for none */
export function arrivalOf({ status, managed, is_invited }: StoredNewcomer, email: string | null): Arrival {
  if (managed && status === 'active') return 'made';
  return managed || is_invited ? 'invited' : { email };
}
