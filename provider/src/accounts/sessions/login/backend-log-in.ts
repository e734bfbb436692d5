import type { IntermediateReply } from '#application/api/index.ts';
import type { BackendAuthenticated } from '#provider/base/backend-api/reply.ts';
import { joins } from '#domain/rules/delegates.ts';
import type { NewFactor } from '#domain/rules/factors.ts';
import { checkDuration } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { BackendCaller } from '../reading/contract.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Services } from '../../services.ts';
import { readBackendUser } from '../../users/backend-user.ts';
import { checkNotLockedOut, type LockedUser } from '../../users/lock.ts';
import type { CurrentSession } from '../reading/current.ts';
import { letIn } from './let-in.ts';
import { logIn, loginRow, type LoginCompletion, type LoginProof } from './log-in.ts';
import type { LoginOutcome } from './login-policy.ts';
import type { AuthenticatedReply } from '../rows/store.ts';

export interface BackendLogin {
  readonly user: LockedUser;
  readonly factor: NewFactor;
  readonly caller: BackendCaller;
  readonly body: {
    readonly session_duration_minutes?: number | undefined;
    readonly session_custom_claims?: Readonly<Record<string, unknown>> | undefined;
  };
  /** The token family of the app, if the session is made from an app's token. */
  readonly family_id?: string | undefined;
  /** False for a login that never joins the session that the body presents. */
  readonly joining?: boolean;
  /** The session of the body as the flow read it. If the flow has ended it since, a new session replaces it. */
  readonly presented?: CurrentSession | undefined;
  readonly newSessionId?: string | undefined;
  readonly earlier?: LoginProof['earlier'];
}

/**
 * Logs in the user of the factor for the app's own server. The factor joins the session that the body presents. Otherwise a session starts
 * if the body has a duration. With neither, the server only learns who the user is, and no session starts.
 */
export async function logInFromBackend(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'dev' | 'project' | 'warn'>,
  tx: Db,
  { user, factor, caller, body, family_id, joining = true, presented: read, newSessionId, earlier }: BackendLogin,
): Promise<BackendAuthenticated> {
  const { session_duration_minutes: minutes = null, session_custom_claims: custom_claims } = body;
  if (minutes !== null) checkDuration(minutes);
  checkNotLockedOut(user);
  const session = joining ? (read ?? (await caller.session.findIn(tx))) : undefined;
  if (joining && caller.session.isPresented && session === undefined) throw new Refusal('session_not_found');
  if (session !== undefined && session.user_id !== user.user_id) throw new Refusal('session_of_another_user');
  const goesOn = joins(session, { user_id: user.user_id, family_id });
  const step = await caller.step.findIn(tx, user.user_id);
  if (minutes === null && !goesOn && step === undefined) {
    await letIn(services, tx, { user, factor, caller });
    const row = loginRow(services, { caller, factor, user }, null);
    if (row !== null) await tx.insertInto('audit_log').values(row).execute();
    const without = { session: null, session_token: '', session_jwt: '' };
    return { user_id: user.user_id, user: await readBackendUser(services.project, tx, user.user_id), ...without };
  }
  const login = { user, factor, minutes, custom_claims, caller, presented: session, family_id, newSessionId, earlier };
  return backendReply(services, tx, await logIn(services, tx, login));
}

/** The completion of flows of the backend API, which may or may not result in a session. */
export function enterBackend(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'dev' | 'project' | 'warn'>,
  { body, caller }: Pick<BackendLogin, 'body' | 'caller'>,
): LoginCompletion<BackendAuthenticated> {
  return async (tx, proof) => logInFromBackend(services, tx, { ...proof, caller, body });
}

/** The reply of a login, with the user as the app's own server sees them. */
export async function backendReply(
  { project }: Pick<Services, 'project'>,
  db: Db,
  { user_id, session, session_token = '', session_jwt = '', ...more }: LoginOutcome,
): Promise<BackendAuthenticated> {
  const reply = { user_id, user: await readBackendUser(project, db, user_id), session, session_token, session_jwt };
  const { intermediate_session_token, mfa, trusted_device_token } = more as Partial<IntermediateReply> &
    Pick<AuthenticatedReply, 'trusted_device_token'>;
  return {
    ...reply,
    ...(intermediate_session_token === undefined ? {} : { intermediate_session_token }),
    ...(mfa === undefined ? {} : { mfa }),
    ...(trusted_device_token === undefined ? {} : { trusted_device_token }),
  };
}
