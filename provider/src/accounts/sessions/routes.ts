import { checkDuration } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { actorIn, auditCall } from '#provider/base/audit/record.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Routes } from './reading/contract.ts';
import { holdSession } from './reading/admission.ts';
import { endSession } from './rows/ending.ts';
import { stepUp } from './login/login-policy.ts';
import { renew } from './rows/store.ts';

export const sessions: Omit<Routes['sessions'], 'attest' | 'exchangeAccessToken'> = {
  async authenticate(services, { body, caller, session }) {
    const signedIn = await caller.session.requireSignedIn();
    const { session_duration_minutes: minutes } = body;
    if (minutes !== undefined) checkDuration(minutes);
    if (await caller.session.lacks(signedIn)) return stepUp(services, session, caller);
    const reply = await renew(services, signedIn, { minutes });
    if (reply === undefined) throw new Refusal('unauthorized_credentials');
    return reply;
  },

  async revoke(services, { caller, session }) {
    const { others } = await caller.session.requirePartial();
    await transaction(services.db, async (tx) => {
      const lock = await holdSession(services, tx, session);
      const sessionIds = [lock.session.session_id, ...others];
      for (const id of sessionIds) await endSession(tx, id);
      const actor = actorIn(lock.session);
      await auditCall(services, tx, caller, {
        user_id: lock.user.user_id,
        actor,
        details: { session_ids: sessionIds },
      });
    });
    caller.session.end();
    return {};
  },
};
