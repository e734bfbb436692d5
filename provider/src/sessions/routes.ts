import { checkEmail } from '../../../src/domain/rules/accounts.ts';
import { FACTORS, isImpersonated } from '../../../src/domain/rules/factors.ts';
import { listedSession } from '../../../src/domain/rules/listed-session.ts';
import { checkDuration } from '../../../src/domain/rules/lifetimes.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { trustedClaims, useTrustedToken } from '../access/trusted-tokens.ts';
import { ATTESTED_MINUTES } from '../../../src/domain/session.ts';
import { transaction } from '../db/transaction.ts';
import type { Db } from '../db/database.ts';
import type { Routes } from '../http/endpoints.ts';
import { readAccessToken } from '../idp/read-tokens.ts';
import type { TrustedAuthTokenProfile } from '../project/access.ts';
import { holdAccessToken } from '../idp/grants.ts';
import type { Services } from '../services.ts';
import { takeForNetwork } from '../security/limits.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import {
  findSession,
  holdProvenSession,
  holdSession,
  looksLikeJwt,
  withOwnSession,
  withProvenSession,
} from './current.ts';
import { logIn } from './log-in.ts';
import { authenticated, revoke, revokeOf, sessionsOf, tokenOf, touch } from './store.ts';
import { confirmEmail, findEmail, findOrCreateEmail, lockEmail } from '../users/store.ts';

/** The claims of a trusted issuer about a person. */
type Claims = Readonly<Record<string, unknown>>;

function textClaim(claims: Claims, name: string | null): string | null {
  const value = name === null ? undefined : claims[name];
  return typeof value === 'string' && value !== '' && !/\0|\p{Surrogate}/u.test(value) ? value : null;
}

/**
 * An absent claim counts as verified: such issuers check every address. Some write the boolean as text. Any other value
 * is refused.
 */
function isVouchedFor(verified: unknown): boolean {
  return verified === undefined || verified === true || verified === 'true';
}

/** The user of the claims: by user id, else by email address, which the issuer has verified. */
async function userNamed(
  services: Services,
  tx: Db,
  profile: TrustedAuthTokenProfile,
  claims: Claims,
): Promise<LockedUser | undefined> {
  const id = textClaim(claims, profile.user_id_claim);
  if (id !== null) return lockUser(tx, id);
  const email = textClaim(claims, profile.email_claim);
  if (email === null || !isVouchedFor(claims['email_verified'])) return undefined;
  checkEmail(email);
  const known = profile.creates_users
    ? await findOrCreateEmail(services, tx, email, 'pending')
    : await findEmail(tx, email);
  const found = known === undefined ? undefined : await lockEmail(tx, known.email_id);
  return found === undefined ? undefined : (await confirmEmail(tx, found)).user;
}

export const sessions: Routes['sessions'] = {
  async authenticate(services, { body, caller }) {
    const { session, secret } = await caller.session.requireWithSecret();
    const { session_duration_minutes: minutes } = body;
    if (minutes !== undefined) checkDuration(minutes);
    const longer = isImpersonated(session) ? undefined : minutes;
    const renew = async (db: Db) => {
      const touched = await touch(services, db, session, longer);
      if (touched === undefined) throw new Refusal('unauthorized_credentials');
      return touched;
    };
    if (!looksLikeJwt(secret)) {
      return authenticated(services, services.db, await renew(services.db), secret);
    }
    const { touched, token } = await transaction(services.db, async (tx) => {
      const touched = await renew(tx);
      return { touched, token: await tokenOf(services, tx, touched) };
    });
    return authenticated(services, services.db, touched, token);
  },

  async revoke(services, { caller }) {
    const { session, others } = await caller.session.requireWithSecret();
    await transaction(services.db, async (tx) => {
      const held = await holdSession(services, tx, session);
      for (const id of [held.session.session_id, ...others]) await revoke(tx, id);
    });
    caller.session.end();
    return {};
  },

  /** An app or an impersonator does not learn where else the user is signed in. */
  list: withOwnSession(async (services, { session: { session_id: current, user_id } }) => {
    const rows = await sessionsOf(services, services.db, user_id);
    return {
      sessions: rows.map((row) =>
        listedSession(
          {
            ...row,
            started_at: row.started_at.toISOString(),
            last_accessed_at: row.last_accessed_at.toISOString(),
            expires_at: row.expires_at.toISOString(),
          },
          current,
        ),
      ),
    };
  }),

  revokeOther: withProvenSession(async (services, { params, caller, session }) => {
    const ended = await transaction(services.db, async (tx) =>
      revokeOf(services, tx, (await holdProvenSession(services, tx, session)).user, params.session_id),
    );
    if (!ended) throw new Refusal('live_session_not_found');
    if (params.session_id === session.session_id) caller.session.end();
    return {};
  }),

  /**
   * Exchanges an access token for a session of its own. Only a token with `full_access` qualifies, because a session
   * can do everything. The session ends with the app's tokens.
   */
  async exchangeAccessToken(services, { body, caller }) {
    checkDuration(body.session_duration_minutes);
    const live = await readAccessToken(services, body.access_token);
    if (live !== null && !live.scopes.includes('full_access')) throw new Refusal('insufficient_scope');
    const { session_duration_minutes: minutes } = body;
    const reply =
      live === null
        ? undefined
        : await transaction(services.db, async (tx) => {
            const user = await lockUser(tx, live.user_id);
            if (user === undefined || !(await holdAccessToken(tx, live))) return undefined;
            const factor = FACTORS.exchanged(live.client_id);
            const presented = await caller.session.findIn(tx);
            return logIn(services, tx, { user, factor, minutes, caller, presented, family_id: live.family_id });
          });
    if (reply !== undefined) return reply;
    await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
    throw new Refusal('invalid_access_token');
  },

  async attest(services, { body, caller }) {
    const minutes = body.session_duration_minutes ?? ATTESTED_MINUTES;
    checkDuration(minutes);
    const profile = services.project.trusted_auth_token_profiles.find(
      ({ profile_id }) => profile_id === body.profile_id,
    );
    if (profile === undefined) throw new Refusal('trusted_auth_token_profile_not_found');
    const claims = await trustedClaims(services, profile, body.token);
    try {
      return await transaction(services.db, async (tx) => {
        // Thrown to roll back, so that a token that names no user is not used up.
        const refusal = new Refusal('invalid_trusted_auth_token');
        if (claims === null || !(await useTrustedToken(tx, profile, claims))) throw refusal;
        const user = await userNamed(services, tx, profile, claims);
        if (user === undefined) throw refusal;
        const before = body.session_token ?? body.session_jwt;
        const ended = before === undefined ? undefined : await findSession(services, tx, before);
        if (ended !== undefined) await revoke(tx, ended.session_id);
        const factor = FACTORS.trustedToken(profile.profile_id, textClaim(claims, 'jti') ?? '');
        return logIn(services, tx, { user, factor, minutes, caller, presented: undefined });
      });
    } catch (error) {
      if (error instanceof Refusal && error.type === 'invalid_trusted_auth_token') {
        await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
      }
      throw error;
    }
  },
};
