import { delegateRefusal, type Delegable } from './delegates.ts';
import { isImpersonated } from './factors.ts';
import { Refusal, type RefusalType } from './refusal.ts';

/**
 * The kinds of callers that the calls of both APIs tell apart, in the order in which a gate asks. A session can be of several kinds; the
 * first one that the gate refuses decides.
 */
export const CALLER_KINDS = [
  /** No session and no login. */
  'none',
  /** The token or JWT of a session that has ended. */
  'ended',
  /** A login that lacks a factor. */
  'intermediate',
  /** A session that lacks a factor by the policy, which was raised after its login. */
  'lacking',
  /** An operator's session. */
  'impersonated',
  /** A page with the JWT of a session, without its token. */
  'jwt_alone',
  /** An app's session, made of its tokens. */
  'exchanged',
  /** A session of a user with a second factor that it does not prove. */
  'one_factor',
  /** The same, in a browser that the user trusts. */
  'trusted_browser',
  /** A session whose last proof is older than ten minutes, or of a method that is new. */
  'stale_proof',
  /** A session to which none of this applies. */
  'complete',
] as const;

export type CallerKind = (typeof CALLER_KINDS)[number];

/** The answer to each kind of caller: the call is let in, or refused with this type. */
type Cells = Readonly<Record<CallerKind, 'passes' | RefusalType>>;

export interface Gate extends Cells {
  /** Whether the call goes on with the login that an intermediate token names. Others ignore the token, or leave it to the login. */
  readonly takesStep?: true;
  /** Whether the call reads the user with the session, in one statement. */
  readonly withUser?: true;
}

/** What a call asks for besides, where it does one of these. */
export type GateVariant =
  /** It adds a login method that was begun before: its end asks what its beginning would ask now. */
  | 'adds'
  /** It answers a challenge of a session or of a login that lacks a factor. */
  | 'proves'
  /** It lets an app in while a person is there, or without one (`prompt=none`). */
  | 'asked'
  | 'silent'
  /** It gives an app access that it can renew alone. */
  | 'lasting';

/** A row of the table of calls. */
export type CallGate = Gate & Partial<Readonly<Record<GateVariant, Gate>>>;

/** A gate for each call of a table. A call without one does not compile. */
export type GatesOf<Api> = { readonly [Area in keyof Api]: { readonly [Name in keyof Api[Area]]: CallGate } };

/** Everybody: logins, and what needs no user. */
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

/** Any live session, also one that lacks a factor. */
export const ANY_SESSION = {
  ...OPEN,
  none: 'user_unauthenticated',
  ended: 'unauthorized_credentials',
  intermediate: 'user_unauthenticated',
} as const satisfies Gate;

/** A session that is enough by the policy, also an operator's and an app's. */
export const SESSION = { ...ANY_SESSION, lacking: 'mfa_required' } as const satisfies Gate;

/** The same, where the effect outlasts a JWT. */
export const SESSION_WITH_TOKEN = { ...SESSION, jwt_alone: 'unauthorized_action' } as const satisfies Gate;

/** A user, or an app for itself. */
export const USER_OR_APP = { ...SESSION_WITH_TOKEN, impersonated: 'unauthorized_action' } as const satisfies Gate;

/** The user only: the effect outlasts the session of an operator or app. */
export const OWN_SESSION = { ...USER_OR_APP, exchanged: 'unauthorized_action' } as const satisfies Gate;

/** The user with their second factor, if they have one: the call shows or changes login methods, or access of others. */
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

/** True for a gate that refuses nobody, and reads no session. */
export const isOpen = (gate: Gate): boolean =>
  gate.takesStep !== true && CALLER_KINDS.every((kind) => gate[kind] === 'passes');

/** What a gate has to know of a session and cannot read from it. */
export interface SessionFacts {
  readonly lacksPolicy: boolean;
  readonly lacksSecondFactor: boolean;
  /** Why its last proof does not count as fresh; null for a fresh one. */
  readonly staleProof: Refusal | null;
}

/** Which of the facts decide at this gate. The others need not be found out. */
export function factsOf(gate: Gate): Readonly<Record<keyof SessionFacts, boolean>> {
  return {
    lacksPolicy: gate.lacking !== 'passes',
    lacksSecondFactor: gate.one_factor !== 'passes' || gate.trusted_browser !== 'passes',
    staleProof: gate.stale_proof !== 'passes',
  };
}

/** Refuses a live session that the gate does not let in. */
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
