import { checkDuration } from '../../../src/domain/rules/lifetimes.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { ATTESTED_MINUTES } from '../../../src/domain/session.ts';
import { actorIn, auditCall } from '../audit/record.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { holdSession } from './current.ts';
import { endSession } from './ending.ts';
import { attest, exchangeAccessToken } from './exchanges.ts';
import { renew } from './store.ts';
import { logIn } from './log-in.ts';

export const sessions: Routes['sessions'] = {
  async authenticate(services, { body, caller }) {
    const signedIn = await caller.session.requireSignedIn();
    const { session_duration_minutes: minutes } = body;
    if (minutes !== undefined) checkDuration(minutes);
    const reply = await renew(services, signedIn, { minutes });
    if (reply === undefined) throw new Refusal('unauthorized_credentials');
    return reply;
  },

  async revoke(services, { caller }) {
    const { session, others } = await caller.session.requireWithSecret();
    await transaction(services.db, async (tx) => {
      const held = await holdSession(services, tx, session);
      const ended = [held.session.session_id, ...others];
      for (const id of ended) await endSession(tx, id);
      const actor = actorIn(held.session);
      await auditCall(services, tx, caller, { user_id: held.user.user_id, actor, details: { session_ids: ended } });
    });
    caller.session.end();
    return {};
  },

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
