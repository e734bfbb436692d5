import { cryptoWallets } from '#application/api/index.ts';
import { checkRoom } from '#server-rules/accounts.ts';
import { FACTORS } from '#domain/rules/factors.ts';
import { checkDuration, WALLET_CHALLENGE_MINUTES } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import {
  isDue,
  isFrom,
  signatureRefusal,
  signInChallenge,
  walletFrom,
  type ReadAddress,
  type Wallet,
} from '#server-rules/wallet-messages.ts';
import type { CryptoWalletRegistration } from '#domain/users/user.ts';
import { base58 } from '#infrastructure/wallets/base58.ts';
import { requireSession } from '../state/admission.ts';
import type { Answers, Caller } from '../state/answers.ts';
import { change, newMember, readUser } from '../state/user-rows.ts';
import { logIn, sessionOf } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';
import type { LiveSession, WalletChallenge } from '../state/tables.ts';

/** Whether the wallet signed that challenge. */
export type VerifySignature = (wallet: Wallet, challenge: string, signature: string) => boolean;

/** A fake wallet's signature in the format of its chain: 65 bytes in hexadecimal, or 64 in base58. It is not secret: for tests only. */
export function fakeSignature(address: string, challenge: string): string {
  const isEthereum = /^0x/iu.test(address);
  const message = new TextEncoder().encode(`${isEthereum ? address.toLowerCase() : address}:${challenge}`);
  const bytes = new Uint8Array(isEthereum ? 65 : 64).fill(7);
  message.forEach((byte, at) => {
    const index = at % bytes.length;
    bytes[index] = ((bytes[index] ?? 0) * 31 + byte + at) % 256;
  });
  if (!isEthereum) return base58(bytes);
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

const FORMS = { ethereum: /^0x[0-9a-f]{40}$/iu, solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/u };

/** Ethereum addresses are compared without case, because checking the capitals (EIP-55) needs Keccak. */
const readAddress: ReadAddress = (type, text) => (FORMS[type].test(text) ? text : null);

const same = (a: Wallet, b: Wallet): boolean =>
  a.type === b.type &&
  (a.type === 'ethereum' ? a.address.toLowerCase() === b.address.toLowerCase() : a.address === b.address);

interface StartBody {
  readonly crypto_wallet_address: string;
  readonly crypto_wallet_type: string;
  readonly siwe_params?: Readonly<Record<string, unknown>> | undefined;
}

/** Crypto wallets: each challenge can be signed once and names the site in the form of EIP-4361. */
export function answerWallets(answers: Answers, state: ServerState, verify: () => VerifySignature): void {
  const start = (body: StartBody, user_id: string | null, { page }: Caller): object => {
    const wallet = walletFrom(body.crypto_wallet_type, body.crypto_wallet_address, readAddress);
    const { siwe_params: params = {} } = body;
    const project = state.rules(typeof params['uri'] === 'string' ? params['uri'] : undefined);
    const nonce = `fakenonce${state.next()}`;
    const challenge = signInChallenge(wallet, params, { project, page, now: state.now(), nonce, readAddress });
    const expiresAt = state.in(WALLET_CHALLENGE_MINUTES);
    state.walletChallenges.set(challenge, { ...wallet, challenge, user_id, expiresAt });
    return { challenge };
  };

  answers
    .to(cryptoWallets.authenticateStartPrimary, (body, caller) => start(body, null, caller))
    .to(cryptoWallets.authenticateStartSecondary, (body, caller) =>
      start(body, requireSession(state, caller).user_id, caller),
    )
    .to(cryptoWallets.authenticate, (body, caller) => {
      const { session_duration_minutes: minutes, signature } = body;
      checkDuration(minutes);
      const wallet = walletFrom(body.crypto_wallet_type, body.crypto_wallet_address, readAddress);
      const mine = sessionOf(state, caller)?.user_id ?? null;
      const now = state.now();
      const issued = ({ type, challenge }: WalletChallenge) => ({ crypto_wallet_type: type, challenge });
      const live = [...state.walletChallenges.values()].filter(
        (each) =>
          same(each, wallet) &&
          each.expiresAt > now &&
          (each.user_id === null || each.user_id === mine) &&
          isFrom(issued(each), caller.page, readAddress),
      );
      if (live.length === 0) throw new Refusal('crypto_wallet_challenge_not_found');
      const walletChallenge = live.find(
        (each) => isDue(issued(each), now, readAddress) && verify()(wallet, each.challenge, signature),
      );
      if (walletChallenge === undefined) throw signatureRefusal(wallet, signature);
      // Adding a wallet requires a live session; without one the call is a login.
      const session = walletChallenge.user_id === null ? null : requireSession(state, caller, 'adds');
      const { user_id, registration } = findOrCreate(state, wallet, session);
      state.walletChallenges.delete(walletChallenge.challenge);
      if (walletChallenge.user_id !== null && walletChallenge.user_id !== user_id)
        throw new Refusal('duplicate_crypto_wallet');
      return logIn(state, { user_id, factor: FACTORS.wallet(registration), minutes, caller });
    });
}

function findOrCreate(
  state: ServerState,
  wallet: Wallet,
  session: LiveSession | null,
): { readonly user_id: string; readonly registration: CryptoWalletRegistration } {
  for (const { user_id, crypto_wallets } of state.users.values()) {
    const registration = crypto_wallets.find(({ crypto_wallet_type: type, crypto_wallet_address: address }) =>
      same(wallet, { type: type as Wallet['type'], address }),
    );
    if (registration !== undefined) return { user_id, registration };
  }
  const registration = {
    crypto_wallet_id: state.id('crypto-wallet'),
    crypto_wallet_address: wallet.address,
    crypto_wallet_type: wallet.type,
    verified: true,
  };
  if (session !== null) checkRoom(readUser(state, session.user_id).crypto_wallets.length);
  const { user_id } = session ?? newMember(state, { arrival: { email: null } });
  if (session !== null) state.addedIn.set(registration.crypto_wallet_id, session.session_id);
  const { crypto_wallets: before } = readUser(state, user_id);
  change(state, user_id, { crypto_wallets: [...before, registration] });
  return { user_id, registration };
}
