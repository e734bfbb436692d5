import { requireOwn } from '../../../../src/domain/rules/delegates.ts';
import { wrongField } from '../../project/body-fields.ts';
import type { BackendCaller } from './contract.ts';
import type { Services } from '../services.ts';
import type { CurrentSession } from './current.ts';
import { requireSecondFactor } from './second-factor.ts';
import { userIdOf } from '../users/backend-user.ts';

/** The fields by which a call of the backend API names a user: exactly one of them. */
interface UserReference {
  readonly user_id?: string | undefined;
  readonly session_token?: string | undefined;
  readonly session_jwt?: string | undefined;
}

export interface NamedUser {
  readonly user_id: string;
  /** Null when the app's own server vouches for the user, who has no session in this call. */
  readonly session: CurrentSession | null;
}

/** The user that the call names, or null if it may name none and does not. */
export async function userNamedIfAny(
  { db }: Pick<Services, 'db'>,
  { user_id, session_token, session_jwt }: UserReference,
  { session }: BackendCaller,
): Promise<NamedUser | null> {
  const given = [user_id, session_token, session_jwt].filter((value) => value !== undefined);
  if (given.length > 1) throw wrongField('user_id', 'given alone, without session_token and session_jwt');
  if (user_id !== undefined) return { user_id: await userIdOf(db, user_id), session: null };
  if (given.length === 0) return null;
  const found = await session.require();
  return { user_id: found.user_id, session: found };
}

export async function userNamedBy(
  services: Pick<Services, 'db'>,
  naming: UserReference,
  caller: BackendCaller,
): Promise<NamedUser> {
  const named = await userNamedIfAny(services, naming, caller);
  if (named === null) throw wrongField('user_id', 'given, or session_token or session_jwt instead');
  return named;
}

/** Like `userNamedIfAny`, for new factors: a session must be the user's own, and prove the second factor if there is one. */
export async function provenUserIfAny(
  services: Pick<Services, 'db' | 'project'>,
  naming: UserReference,
  caller: BackendCaller,
): Promise<NamedUser | null> {
  const named = await userNamedIfAny(services, naming, caller);
  if (named === null || named.session === null) return named;
  requireOwn(named.session);
  await requireSecondFactor(services, services.db, named.user_id, named.session);
  return named;
}
