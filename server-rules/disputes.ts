import type { AuthenticationFactor } from '../src/domain/sessions/session.ts';
import { missingProof } from '../src/domain/rules/authentication-methods.ts';
import { isProof, type SessionFactors } from '../src/domain/rules/factors.ts';
import { FRESH_PROOF_MINUTES, methodOf, withoutAdditions } from './fresh-proof.ts';

/** A login method of a user, by the id that its factors have. */
export interface DatedMethod {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly created_at: number;
  /** Whether a link undid its addition, and its removal waits. */
  readonly isDisputed: boolean;
  /** Whether the account had none that was older as the dispute began. */
  readonly isOldest: boolean;
}

/**
 * How much older than a disputed method another one must be. The oldest one of the account need not: what was the oldest as the dispute
 * began, because whoever removes that makes one of their own the oldest.
 */
const ELDER_MS = 7 * 24 * 60 * 60_000;

/**
 * The factors that speak for a disputed method: those of methods that nobody disputes, and that the account had for a week before it, or
 * from the beginning. Whoever stole a session adds several methods, and the owner may have disputed one of them.
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

/** Whether the session proves, for each disputed method, one that speaks for it. */
export function speaksForAll(session: SessionFactors, methods: readonly DatedMethod[]): boolean {
  const disputed = methods.filter(({ isDisputed }) => isDisputed);
  return disputed.every((each) => eldersIn(session, each, methods).length > 0);
}

/** Whether a login proved a method that speaks for the disputed one in the last ten minutes. */
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
