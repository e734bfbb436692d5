import { delegateRefusal, type Delegable } from './delegates.ts';
import { isImpersonated } from './factors.ts';
import { Refusal, type RefusalType } from './refusal.ts';

/**
 * The kinds of callers that both APIs distinguish, in the order in which a gate checks them. A session can be of several kinds; the first
 * one that the gate refuses decides.
 */
export const CALLER_KINDS = [
  /** No session and no login. */
  'none',
  /** The token or JWT of a session that has ended. */
  'ended',
  /** A login that lacks a factor. */
  'intermediate',
  /** A session without a factor that the policy has required since its login. */
  'lacking',
  /** An operator's session. */
  'impersonated',
  /** A page that presents a session's JWT without its token. */
  'jwt_alone',
  /** An app's session, created from its tokens. */
  'exchanged',
  /** A session that does not prove its user's second factor. */
  'one_factor',
  /** The same, in a browser that the user trusts. */
  'trusted_browser',
  /** A session whose last proof is older than ten minutes, or of a newly added method. */
  'stale_proof',
  /** A session to which none of this applies. */
  'complete',
] as const;

export type CallerKind = (typeof CALLER_KINDS)[number];

/** The gate's answer to each kind of caller: it passes, or is refused with this type. */
type Cells = Readonly<Record<CallerKind, 'passes' | RefusalType>>;

export interface Gate extends Cells {
  /** True if the call continues the login of an intermediate token. Other calls ignore the token, or leave it to the login. */
  readonly takesStep?: true;
  /** True if the call reads the user together with the session, in one statement. */
  readonly withUser?: true;
}

/** Stricter requirements for a call that does one of these. */
export type GateVariant =
  /** It completes the addition of a login method. The requirements are those of the addition's start. */
  | 'adds'
  /** It answers a challenge of a session, or of a login that lacks a factor. */
  | 'proves'
  /** It gives an app access while a person is present, or without one (`prompt=none`). */
  | 'asked'
  | 'silent'
  /** It gives an app access that the app can renew alone. */
  | 'lasting';

/** A row of the table of calls. */
export type CallGate = Gate & Partial<Readonly<Record<GateVariant, Gate>>>;

/** A gate for each call of an API. A call without one is a compile error. */
export type GatesOf<Api> = { readonly [Area in keyof Api]: { readonly [Name in keyof Api[Area]]: CallGate } };

/** Everybody: for logins, and calls that need no user. */
export const OPEN = {
  none: 'passes',
  ended: 'passes',
  intermediate: 'passes',
  lacking: 'passes',
  impersonated: 'passes',
  jwt_alone: 'passes',
  exchanged: 'passes',
  one_factor: 'passes',
  trusted_browser: 'passes',
  stale_proof: 'passes',
  complete: 'passes',
} as const satisfies Gate;

/** Any live session, including one that lacks a factor. */
export const ANY_SESSION = {
  ...OPEN,
  none: 'user_unauthenticated',
  ended: 'unauthorized_credentials',
  intermediate: 'user_unauthenticated',
} as const satisfies Gate;

/** A session that satisfies the policy, including an operator's or an app's. */
export const SESSION = { ...ANY_SESSION, lacking: 'mfa_required' } as const satisfies Gate;

/** The same, for effects that outlast a JWT. */
export const SESSION_WITH_TOKEN = { ...SESSION, jwt_alone: 'unauthorized_action' } as const satisfies Gate;

/** A user, or an app for itself. */
export const USER_OR_APP = { ...SESSION_WITH_TOKEN, impersonated: 'unauthorized_action' } as const satisfies Gate;

/** Only the user: the effect outlasts the session of an operator or app. */
export const OWN_SESSION = { ...USER_OR_APP, exchanged: 'unauthorized_action' } as const satisfies Gate;

/** The user with their second factor, if they have one: the call shows or changes login methods, or the access of others. */
export const PROVEN_SESSION = {
  ...OWN_SESSION,
  one_factor: 'mfa_required',
  trusted_browser: 'mfa_required',
} as const satisfies Gate;

/** The same with a proof of the last ten minutes: the effect cannot be undone. */
export const FRESH_SESSION = { ...PROVEN_SESSION, stale_proof: 'login_required' } as const satisfies Gate;

/** Adds a second factor: in a session, or in a login whose step lists it. */
export const ENROLMENT = { ...PROVEN_SESSION, intermediate: 'passes', takesStep: true } as const satisfies Gate;

/** Proves a second factor: in a session, or in a login whose step lists it. */
export const SECOND_FACTOR_PROOF = {
  ...ANY_SESSION,
  intermediate: 'passes',
  impersonated: 'unauthorized_action',
  jwt_alone: 'unauthorized_action',
  takesStep: true,
} as const satisfies Gate;

/** Begins the proof of a passkey as the second factor. Only its end adds a factor to the session. */
export const SECOND_FACTOR_START = { ...ANY_SESSION, intermediate: 'passes', takesStep: true } as const satisfies Gate;

/** A login that lacks a factor, and nobody else. */
export const STEP = {
  none: 'intermediate_session_not_found',
  ended: 'intermediate_session_not_found',
  intermediate: 'passes',
  lacking: 'intermediate_session_not_found',
  impersonated: 'intermediate_session_not_found',
  jwt_alone: 'intermediate_session_not_found',
  exchanged: 'intermediate_session_not_found',
  one_factor: 'intermediate_session_not_found',
  trusted_browser: 'intermediate_session_not_found',
  stale_proof: 'intermediate_session_not_found',
  complete: 'intermediate_session_not_found',
  takesStep: true,
} as const satisfies Gate;

/** True for a gate that passes everyone and reads no session. */
export const isOpen = (gate: Gate): boolean =>
  gate.takesStep !== true && CALLER_KINDS.every((kind) => gate[kind] === 'passes');

/** The facts that a gate needs and that the session itself does not contain. */
export interface SessionFacts {
  readonly lacksPolicy: boolean;
  readonly lacksSecondFactor: boolean;
  /** Why the last proof is not fresh; null if it is. */
  readonly staleProof: Refusal | null;
}

/** The facts that matter at this gate. The others need not be found out. */
export function factsOf(gate: Gate): Readonly<Record<keyof SessionFacts, boolean>> {
  return {
    lacksPolicy: gate.lacking !== 'passes',
    lacksSecondFactor: gate.one_factor !== 'passes' || gate.trusted_browser !== 'passes',
    staleProof: gate.stale_proof !== 'passes',
  };
}

/** Throws a Refusal for a live session that the gate does not pass. */
export function checkSession(gate: Gate, session: Delegable, facts: SessionFacts): void {
  const isTrusted = session.authentication_factors.some(({ type }) => type === 'trusted_device');
  const kinds = {
    lacking: facts.lacksPolicy,
    impersonated: isImpersonated(session),
    jwt_alone: session.of_jwt === true,
    exchanged: session.family_id !== null,
    one_factor: facts.lacksSecondFactor && !isTrusted,
    trusted_browser: facts.lacksSecondFactor && isTrusted,
    stale_proof: facts.staleProof !== null,
    complete: true,
  };
  for (const kind of CALLER_KINDS) {
    const answer = gate[kind];
    const applies = kind in kinds && kinds[kind as keyof typeof kinds];
    if (!applies || answer === 'passes') continue;
    if (kind === 'stale_proof' && facts.staleProof !== null) throw facts.staleProof;
    throw answer === 'unauthorized_action' ? delegateRefusal(session) : new Refusal(answer);
  }
}
