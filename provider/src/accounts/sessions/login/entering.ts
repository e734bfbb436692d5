import type { BackendAuthenticated } from '#provider/base/backend-api/reply.ts';
import type { NewFactor } from '#domain/rules/factors.ts';
import type { BackendCaller } from '../reading/contract.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Services } from '../../services.ts';
import type { LockedUser } from '../../users/lock.ts';
import { logInFromBackend, type BackendLogin } from './backend-log-in.ts';
import type { Caller } from '../reading/current.ts';
import { logIn } from './log-in.ts';
import type { LoginOutcome } from './login-policy.ts';

/** Logs a user in by a proof, in the transaction that spends the proof. */
export type ProofLogin<Reply> = (tx: Db, user: LockedUser, factor: NewFactor) => Promise<Reply>;

/** For a caller of the client's API, which always gets a session. */
export function entering(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'dev' | 'project' | 'warn'>,
  caller: Caller,
  minutes: number,
): ProofLogin<LoginOutcome> {
  return async (tx, user, factor) =>
    logIn(services, tx, { user, factor, minutes, caller, presented: await caller.session.findIn(tx) });
}

/** For the app's own server, which gets a session if it requests one. */
export function enteringFromBackend(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'dev' | 'project' | 'warn'>,
  caller: BackendCaller,
  body: BackendLogin['body'],
): ProofLogin<BackendAuthenticated> {
  return async (tx, user, factor) => logInFromBackend(services, tx, { user, factor, caller, body });
}
