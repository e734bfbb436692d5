import { Refusal } from '#domain/rules/refusal.ts';
import { siweParamsOf, walletFrom } from '#server-rules/wallet-messages.ts';
import type { BackendRoutes } from '../sessions/reading/contract.ts';
import { gateFor, holdSession } from '../sessions/reading/admission.ts';
import { enteringFromBackend } from '../sessions/login/entering.ts';
import type { SessionServices } from '../services.ts';
import { lockUser } from '../users/lock.ts';
import { userNamedIfAny, type NamedUser } from '../sessions/reading/named-user.ts';
import { ANY_VOUCHED_FOR, readAddress, type WalletAddition } from './challenges.ts';
import { authenticateWallet, findWallet, startWalletLogin } from './log-in.ts';

const additionBy = (services: SessionServices, { user_id, session }: NamedUser): WalletAddition => ({
  user_id,
  needs_session: session !== null,
  hold: (tx) => (session === null ? lockUser(tx, user_id) : holdSession(services, tx, session)),
});

export const cryptoWallets: BackendRoutes['cryptoWallets'] = {
  async authenticateStart(services, { body, caller, session }) {
    const wallet = walletFrom(body.crypto_wallet_type, body.crypto_wallet_address, readAddress);
    const user = await userNamedIfAny(services, body, session);
    const adds = user === null ? null : additionBy(services, user);
    const { challenge } = await startWalletLogin(services, body, { adds, caller });
    const owner = user?.user_id ?? (await findWallet(services.db, wallet))?.user_id ?? '';
    return { user_id: owner, user_created: false, challenge };
  },

  async authenticate(services, { body, caller, session }) {
    const wallet = walletFrom(body.crypto_wallet_type, body.crypto_wallet_address, readAddress);
    const { reply, challenge } = await authenticateWallet(services, {
      wallet,
      signature: body.signature,
      caller,
      of: session === undefined ? ANY_VOUCHED_FOR : session.user_id,
      async hold(tx, userId) {
        if (session !== undefined) return holdSession(services, tx, { ...session, gate: gateFor(caller, 'adds') });
        const user = await lockUser(tx, userId);
        if (user === undefined) throw new Refusal('crypto_wallet_challenge_not_found');
        return { user, session: null };
      },
      enter: enteringFromBackend(services, caller, body),
    });
    const siwe_params = siweParamsOf(challenge, readAddress);
    return { ...reply, ...(siwe_params === null ? {} : { siwe_params }) };
  },
};
