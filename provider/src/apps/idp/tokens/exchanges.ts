import { FACTORS } from '#domain/rules/factors.ts';
import { checkDuration } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { ExchangeLogin } from '#provider/accounts/access/attest.ts';
import type { BackendRoutes, Routes } from '#provider/accounts/sessions/reading/contract.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { Services } from '#provider/accounts/services.ts';
import { logInFromBackend } from '#provider/accounts/sessions/login/backend-log-in.ts';
import type { Caller } from '#provider/accounts/sessions/reading/current.ts';
import { endOfFamily } from '#provider/accounts/sessions/rows/lifetime.ts';
import { logIn } from '#provider/accounts/sessions/login/log-in.ts';
import { mfaRulesOf } from '#provider/accounts/sessions/factors/policy.ts';
import { lockUser } from '#provider/accounts/users/lock.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import { boundKeyOf } from '../protocol/dpop.ts';
import { holdAccessToken } from '../grants/grants.ts';
import { readAccessToken } from './read-tokens.ts';

/**
 * Exchanges an access token for a separate session. Only a token with `full_access` qualifies, because a session can do everything. The
 * session ends with the app's tokens, and never outlives them (`endOfFamily`).
 */
async function exchange<R>(
  services: RateLimitServices & Pick<Services, 'project'>,
  { access_token, caller }: { readonly access_token: string; readonly caller: Caller },
  enter: ExchangeLogin<R>,
): Promise<R> {
  const found = await readAccessToken(services, access_token);
  // The session is not bound to a key, so whoever read a bound token would gain full access.
  const live = found === null || boundKeyOf(found.claims) !== null ? null : found;
  if (live !== null && !live.scopes.includes('full_access')) throw new Refusal('insufficient_scope');
  const entered =
    live === null
      ? undefined
      : await transaction(services.db, async (tx) => {
          const user = await lockUser(tx, live.user_id);
          if (user === undefined || !(await holdAccessToken(tx, live))) return undefined;
          const end = await endOfFamily({ db: tx, project: services.project }, live.family_id);
          // For example after the user signed out of the session in which they authorized the app.
          if (end === null || end <= services.clock.now()) return undefined;
          return {
            reply: await enter(tx, {
              user,
              factor: FACTORS.exchanged(live.client_id),
              family_id: live.family_id,
              earlier: await earlierOf(services, tx, live.family_id),
            }),
          };
        });
  if (entered !== undefined) return entered.reply;
  await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
  throw new Refusal('invalid_access_token');
}

/** The factors of the session, if the project requires a second factor. */
async function earlierOf(services: Pick<Services, 'project'>, tx: Db, familyId: string) {
  if (mfaRulesOf(services) === undefined) return undefined;
  const family = tx.selectFrom('oauth_token_families').select('factors').where('family_id', '=', familyId);
  return (await family.executeTakeFirst())?.factors ?? [];
}

/** The session of an app, for its page. */
export const exchangeAccessToken: Routes['sessions']['exchangeAccessToken'] = async (services, { body, caller }) => {
  checkDuration(body.session_duration_minutes);
  const { access_token, session_duration_minutes: minutes } = body;
  return exchange(services, { access_token, caller }, async (tx, exchanged) =>
    logIn(services, tx, { ...exchanged, minutes, caller, presented: await caller.session.findIn(tx) }),
  );
};

/** The session of an app, for its own server. */
export const backendExchangeAccessToken: BackendRoutes['sessions']['exchangeAccessToken'] = async (
  services,
  { body, caller },
) =>
  exchange(services, { access_token: body.access_token, caller }, (tx, exchanged) =>
    logInFromBackend(services, tx, { ...exchanged, caller, body }),
  );
