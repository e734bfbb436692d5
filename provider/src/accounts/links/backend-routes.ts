import { BACKEND_LINK_MINUTES, minutesIn } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { BackendRoutes } from '../sessions/reading/contract.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { requestOriginHashes } from '../request-origin.ts';
import { enterBackend } from '../sessions/login/backend-log-in.ts';
import { recipientOf, statusOfNew } from '../sessions/login/additions.ts';
import { userIdOf } from '../users/backend-user.ts';
import { lockUser } from '../users/lock.ts';
import { invite, revokeInvite } from './invitations.ts';
import { openLink } from './redeem.ts';
import { sendAddition, sendLoginOrCreate, sendToKnown } from './sending.ts';
import { issueLinkToken } from './store.ts';

const terms = { minutes: BACKEND_LINK_MINUTES };

export const magicLinks: BackendRoutes['magicLinks'] = {
  async create(services, { body, caller }) {
    const minutes = minutesIn('expiration_minutes', BACKEND_LINK_MINUTES.login, body.expiration_minutes);
    const user_id = await userIdOf(services.db, body.user_id);
    const token = await transaction(services.db, async (tx) => {
      if ((await lockUser(tx, user_id)) === undefined) throw new Refusal('user_not_found');
      const link = { user_id, email_id: null, purpose: 'embedded', began_on_page: false } as const;
      const unbound = { code_challenge: null, minutes };
      return issueLinkToken(services, tx, { ...link, ...unbound, asker: requestOriginHashes(services, caller) });
    });
    return { user_id, token };
  },

  async authenticate(services, { body, caller }) {
    const { token, code_verifier, options } = body;
    const enter = enterBackend(services, { body, caller });
    const { reply, ...verified } = await openLink(services, { token, code_verifier, options, caller, enter });
    return { ...reply, ...verified };
  },

  emailLoginOrCreate: async (services, { body, caller }) =>
    sendLoginOrCreate(services, { body, caller, sender: caller.sender, terms }, statusOfNew(body)),

  async emailSend(services, { body, caller, session }) {
    const recipient = await recipientOf(services, body, session);
    const input = { body, caller, sender: caller.sender, terms };
    return recipient === undefined ? sendToKnown(services, input) : sendAddition(services, input, recipient);
  },

  emailInvite: invite,

  async emailRevokeInvite(services, { body }) {
    await revokeInvite(services, body.email);
    return {};
  },
};
