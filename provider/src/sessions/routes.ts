import { isImpersonated } from '../../../src/domain/rules/factors.ts';
import { checkDuration } from '../../../src/domain/rules/lifetimes.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { ATTESTED_MINUTES } from '../../../src/domain/session.ts';
import { transaction } from '../db/transaction.ts';
import type { Db } from '../db/database.ts';
import type { Routes } from '../http/endpoints.ts';
import { holdSession, looksLikeJwt, withSession } from './current.ts';
import { attest, exchangeAccessToken } from './exchanges.ts';
import { logIn } from './log-in.ts';
import { authenticated, revoke, tokenOf, touch } from './store.ts';

export const sessions: Routes['sessions'] = {
  authenticate: withSession(async (services, { body, caller, session }) => {
    const { session_duration_minutes: minutes } = body;
    if (minutes !== undefined) checkDuration(minutes);
    const longer = isImpersonated(session) ? undefined : minutes;
    const renew = async (db: Db) => {
      const touched = await touch(services, db, session, longer);
      if (touched === undefined) throw new Refusal('unauthorized_credentials');
      return touched;
    };
    const { secret } = caller.session;
    if (secret !== null && !looksLikeJwt(secret)) {
      return authenticated(services, services.db, await renew(services.db), secret);
    }
    const { touched, token } = await transaction(services.db, async (tx) => {
      const touched = await renew(tx);
      return { touched, token: await tokenOf(services, tx, touched) };
    });
    return authenticated(services, services.db, touched, token);
  }),

  revoke: withSession(async (services, { session }) => {
    await transaction(services.db, async (tx) =>
      revoke(tx, (await holdSession(services, tx, session)).session.session_id),
    );
    return {};
  }),

  async exchangeAccessToken(services, { body, caller }) {
    checkDuration(body.session_duration_minutes);
    const { access_token, session_duration_minutes: minutes } = body;
    return exchangeAccessToken(services, { access_token, caller }, async (tx, exchanged) =>
      logIn(services, tx, { ...exchanged, minutes, caller, presented: await caller.session.findIn(tx) }),
    );
  },

  async attest(services, { body, caller }) {
    const minutes = body.session_duration_minutes ?? ATTESTED_MINUTES;
    checkDuration(minutes);
    return attest(services, body, caller, async (tx, attested) =>
      logIn(services, tx, { ...attested, minutes, caller, presented: undefined }),
    );
  },
};
