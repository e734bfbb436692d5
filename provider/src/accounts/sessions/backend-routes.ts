import type { Verdict } from '#provider/base/backend-api/sessions.ts';
import { checkDuration } from '#domain/rules/lifetimes.ts';
import { Refusal, SchemaRefusal } from '#domain/rules/refusal.ts';
import { grantingRoles } from '#server-rules/roles.ts';
import { hasShape } from '#domain/shape.ts';
import { auditCall } from '#provider/base/audit/record.ts';
import type { BackendRoutes } from './reading/contract.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { lockUser } from '../users/lock.ts';
import { backendUser, lockUserOf, readBackendUser, userIdOf } from '../users/backend-user.ts';
import { endOtherSessions, endSession } from './rows/ending.ts';
import { findSession, liveSessions } from './rows/find.ts';
import { sessionClaimIn } from './rows/jwt.ts';
import { renew, sessionFrom } from './rows/store.ts';

/** Requires exactly one of these fields: with several, it would be unclear which one is meant. */
function onlyOneOf<const F extends string>(
  body: { readonly [Field in F]?: string | undefined },
  fields: readonly F[],
): readonly [field: F, value: string] {
  const entries = fields.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]] as const]));
  const [first] = entries;
  if (first !== undefined && entries.length === 1) return first;
  const message = `exactly one of ${fields.join(', ')} must be given`;
  throw new SchemaRefusal([{ dataPath: [fields[0] ?? ''], message }]);
}

/** Refuses if no role permits the checked action. */
function verdictOf(
  { rbac_policy }: Project,
  roles: readonly string[],
  check: Readonly<Record<string, unknown>>,
): Verdict {
  if (!hasShape({ resource_id: 'string', action: 'string' }, check)) {
    const message = 'authorization_check must have the texts resource_id and action';
    throw new SchemaRefusal([{ dataPath: ['authorization_check'], message }]);
  }
  const granting_roles = grantingRoles(rbac_policy, roles, check);
  if (granting_roles.length === 0) throw new Refusal('session_authorization_error');
  return { authorized: true, granting_roles };
}

export const sessions: Omit<BackendRoutes['sessions'], 'attest' | 'exchangeAccessToken'> = {
  async get(services, { query }) {
    const { db, project } = services;
    const user = await readBackendUser(project, db, await userIdOf(db, query.user_id));
    const rows = await liveSessions(services, db)
      .where('sessions.user_id', '=', user.user_id)
      .orderBy('sessions.started_at')
      .orderBy('sessions.session_id')
      .execute();
    return { sessions: rows.map((row) => sessionFrom(services, row, user)) };
  },

  /** If the authorization check is refused, nothing is changed. A JWT may have expired; the reply has a new one. */
  async authenticate(services, { body, caller }) {
    onlyOneOf(body, ['session_token', 'session_jwt']);
    const { session_duration_minutes: minutes, session_custom_claims: claims, authorization_check: check } = body;
    if (minutes !== undefined) checkDuration(minutes);
    const signedIn = await caller.session.findSignedIn();
    if (signedIn === undefined) throw new Refusal('session_not_found');
    const user = backendUser(services.project, signedIn.user);
    const verdict = check === undefined ? undefined : verdictOf(services.project, user.roles, check);
    const reply = await renew(services, signedIn, { minutes, claims });
    if (reply === undefined) throw new Refusal('session_not_found');
    const { session, session_token = '', session_jwt = '' } = reply;
    return { user, session, session_token, session_jwt, ...(verdict && { verdict }) };
  },

  /** Also succeeds for a session that has ended or never existed. An older JWT still ends its session. */
  async revoke(services, { body, caller }) {
    const [field, value] = onlyOneOf(body, ['session_id', 'session_token', 'session_jwt']);
    const id = await {
      session_id: async () => value,
      session_token: async () => (await findSession(services, services.db, value))?.session_id,
      session_jwt: async () => (await sessionClaimIn(services, value, 'accepted'))?.session_id,
    }[field]();
    if (id === undefined) return {};
    caller.about(id);
    await transaction(services.db, async (tx) => {
      const session = await tx.selectFrom('sessions').select('user_id').where('session_id', '=', id).executeTakeFirst();
      if (session === undefined) return;
      await lockUser(tx, session.user_id);
      await endSession(tx, id);
    });
    return {};
  },

  /** Also succeeds for a user without sessions, and if the session to keep has ended. */
  async revokeAll(services, { body, caller }) {
    await transaction(services.db, async (tx) => {
      const user = await lockUserOf(tx, body.user_id);
      const { user_id } = user;
      const session = await tx
        .selectFrom('sessions')
        .select('session_id')
        .where('session_id', '=', body.except_session_id ?? '')
        .where('user_id', '=', user_id)
        .executeTakeFirst();
      const sessionIds = await endOtherSessions(services, tx, user, session?.session_id ?? null);
      const actor = { kind: 'server', id: caller.credential.secret_id } as const;
      const details = { count: sessionIds.length, session_ids: sessionIds.slice(0, 100) };
      await auditCall(services, tx, caller, { user_id, actor, details });
    });
    return {};
  },

  /** This server cannot ask another server about a user. Instead, that server's operator can sign tokens for `attest`. */
  migrate: () => Promise.reject(new Refusal('session_migration_not_configured')),
};
