import type { NewFactor } from '#domain/rules/factors.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import type { LockedUser } from '../../users/lock.ts';
import type { Caller, CurrentSession } from '../reading/current.ts';

/** A proof, and the session that it starts or joins. */
export interface Login {
  readonly user: LockedUser;
  readonly factor: NewFactor;
  /** Null for a session that continues without an extension. */
  readonly minutes: number | null;
  readonly custom_claims?: Readonly<Record<string, unknown>> | undefined;
  readonly caller: Caller;
  /** The live session of the request, read after the user was locked; undefined if the login joins no session. */
  readonly presented: CurrentSession | undefined;
  /** The token family of the app, if the session is made from an app's token. */
  readonly family_id?: string | undefined;
  /** The id of the session, if one begins. */
  readonly newSessionId?: string | undefined;
  /** The session's earlier factors: what the user had proved when they authorized the app. */
  readonly earlier?: readonly AuthenticationFactor[] | undefined;
}
