import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import { missingProof } from '#domain/rules/authentication-methods.ts';
import { isProof, type SessionFactors } from '#domain/rules/factors.ts';
import { FRESH_PROOF_MINUTES, methodOf, withoutAdditions } from './fresh-proof.ts';

/** A login method of a user, with the id that its factors have. */
export interface DatedMethod {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly created_at: number;
  /** True if a link undid its addition, and its removal is pending. */
  readonly isDisputed: boolean;
  /** True if it was the account's oldest method when the dispute began. */
  readonly isOldest: boolean;
}

/**
 * How much older than a disputed method another one must be. This does not apply to the account's oldest method when the dispute began. A
 * later oldest one does not count, because whoever removes the oldest method makes one of their own the oldest.
 */
const ELDER_MS = 7 * 24 * 60 * 60_000;

/**
 * The factors that support a disputed method: those of undisputed methods that the account had a week before it, or from the beginning.
 * Whoever stole a session adds several methods, and the owner may have disputed only one of them.
 */
function eldersIn(
  session: SessionFactors,
  disputed: DatedMethod,
  methods: readonly DatedMethod[],
): readonly AuthenticationFactor[] {
  const isElder = ({ created_at, isDisputed, isOldest }: DatedMethod): boolean =>
    !isDisputed && created_at < disputed.created_at && (isOldest || created_at <= disputed.created_at - ELDER_MS);
  const others = new Set(methods.filter((method) => !isElder(method)).map(({ id }) => id));
  const elders = withoutAdditions(session, { here: others, young: new Set(), hasOlder: true });
  return elders.authentication_factors.filter((factor) => isProof(factor) && factor.type !== 'trusted_device');
}

/** True if the session proves, for each disputed method, a method that supports it. */
export function speaksForAll(session: SessionFactors, methods: readonly DatedMethod[]): boolean {
  const disputed = methods.filter(({ isDisputed }) => isDisputed);
  return disputed.every((each) => eldersIn(session, each, methods).length > 0);
}

/** True if a login in the last ten minutes proved a method that supports the disputed one. */
export function speaksFor(
  session: SessionFactors,
  disputed: DatedMethod,
  methods: readonly DatedMethod[],
  now: number,
): boolean {
  const authentication_factors = eldersIn(session, disputed, methods);
  return missingProof({ authentication_factors }, { maxAgeMinutes: FRESH_PROOF_MINUTES }, now) === null;
}

/** The disputed methods that the factors prove. */
export function disputesIn(
  { authentication_factors }: SessionFactors,
  methods: readonly DatedMethod[],
): readonly DatedMethod[] {
  const methodIds = new Set(authentication_factors.map(methodOf));
  return methods.filter(({ id, isDisputed }) => isDisputed && methodIds.has(id));
}
