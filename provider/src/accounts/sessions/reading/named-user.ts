import { wrongField } from '#provider/project/readers/body-fields.ts';
import type { Services } from '../../services.ts';
import type { AdmittedSession } from './admission.ts';
import { userIdOf } from '../../users/backend-user.ts';

/** The fields that name a user in a call of the backend API. Exactly one must be given. */
interface UserReference {
  readonly user_id?: string | undefined;
  readonly session_token?: string | undefined;
  readonly session_jwt?: string | undefined;
}

export interface NamedUser {
  readonly user_id: string;
  /** Null if the app's own server vouches for the user, who has no session in this call. */
  readonly session: AdmittedSession | null;
}

/** The user that the call names; null if it names none and need not. The call's gate has let the session in. */
export async function userNamedIfAny(
  { db }: Pick<Services, 'db'>,
  { user_id, session_token, session_jwt }: UserReference,
  session: AdmittedSession | undefined,
): Promise<NamedUser | null> {
  const identifiers = [user_id, session_token, session_jwt].filter((value) => value !== undefined);
  if (identifiers.length > 1) throw wrongField('user_id', 'given alone, without session_token and session_jwt');
  if (user_id !== undefined) return { user_id: await userIdOf(db, user_id), session: null };
  return session === undefined ? null : { user_id: session.user_id, session };
}

export async function userNamedBy(...of: Parameters<typeof userNamedIfAny>): Promise<NamedUser> {
  const user = await userNamedIfAny(...of);
  if (user === null) throw wrongField('user_id', 'given, or session_token or session_jwt instead');
  return user;
}
