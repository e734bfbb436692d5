import { checkDuration } from '#domain/rules/lifetimes.ts';
import { walletFrom } from '#server-rules/wallet-messages.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Routes } from '../sessions/reading/contract.ts';
import { takeForUser } from '#provider/base/security/limits.ts';
import { takeForVisitor } from '#provider/base/security/visitor-limits.ts';
import { gateFor, holdSession } from '../sessions/reading/admission.ts';
import { entering } from '../sessions/login/entering.ts';
import { readAddress } from './challenges.ts';
import { authenticateWallet, startWalletLogin } from './log-in.ts';

export const cryptoWallets: Routes['cryptoWallets'] = {
  async authenticateStartPrimary(services, { body, caller }) {
    await takeForVisitor(services, 'challenge', caller, services.limits.searchesPerNetwork);
    return startWalletLogin(services, body, { adds: null, caller });
  },

  authenticateStartSecondary: async (services, { body, caller, session }) => {
    const { user_id } = session;
    await takeForUser(services, 'challenge', user_id, services.limits.challengesPerUser);
    const hold = (tx: Db) => holdSession(services, tx, session);
    return startWalletLogin(services, body, { adds: { user_id, needs_session: true, hold }, caller });
  },

  async authenticate(services, { body, caller }) {
    checkDuration(body.session_duration_minutes);
    const wallet = walletFrom(body.crypto_wallet_type, body.crypto_wallet_address, readAddress);
    const session = (await caller.session.findPartial())?.session;
    const adding = session && { ...session, gate: gateFor(caller, 'adds') };
    const { reply } = await authenticateWallet(services, {
      wallet,
      signature: body.signature,
      caller,
      of: session?.user_id ?? null,
      hold: async (tx) => {
        if (adding === undefined) throw await caller.session.refusal();
        return holdSession(services, tx, adding);
      },
      enter: entering(services, caller, body.session_duration_minutes),
    });
    return reply;
  },
};
