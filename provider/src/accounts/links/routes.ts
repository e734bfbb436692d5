import { checkDuration } from '#domain/rules/lifetimes.ts';
import type { Db } from '#provider/base/db/database.ts';
import { holdSession } from '../sessions/reading/admission.ts';
import type { Routes } from '../sessions/reading/contract.ts';
import { withSessionFor } from '../sessions/login/log-in.ts';
import { openLink } from './redeem.ts';
import { CLIENT_TERMS, sendAddition, sendLoginOrCreate, sendToKnown } from './sending.ts';

export const magicLinks: Routes['magicLinks'] = {
  async loginOrCreate(services, { body, caller, sender }) {
    const status = body.create_user_as_pending === false ? 'active' : 'pending';
    const { user_id } = await sendLoginOrCreate(services, { body, caller, sender, terms: CLIENT_TERMS }, status);
    return { user_id };
  },

  async sendPrimary(services, { body, caller, sender }) {
    await sendToKnown(services, { body, caller, sender, terms: CLIENT_TERMS });
    return {};
  },

  sendSecondary: async (services, { body, caller, sender, session }) => {
    const hold = (tx: Db) => holdSession(services, tx, session);
    const recipient = { user_id: session.user_id, needs_session: true, hold };
    const input = { body, caller, sender, terms: CLIENT_TERMS };
    await sendAddition(services, input, recipient);
    return {};
  },

  async authenticate(services, { body, caller }) {
    const { token, code_verifier, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    const { reply, method_id } = await openLink(services, { token, code_verifier, caller, enter });
    return { ...reply, method_id };
  },
};
