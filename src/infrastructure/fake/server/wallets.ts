import { cryptoWallets } from '../../../application/api/index.ts';
import type { CryptoWalletRegistration } from '../../../domain/user.ts';
import { base58 } from '../../credentials/base58.ts';
import type { Answers } from './answers.ts';
import { change, newUser, readUser } from './people.ts';
import { Refused } from './refused.ts';
import { checkDuration, logIn, requireSession, sessionOf } from './sign-in.ts';
import type { ServerState } from './state.ts';
import type { Wallet } from './tables.ts';

const MINUTES = 5;

/** Whether that wallet signed that challenge. */
export type VerifySignature = (wallet: Wallet, challenge: string, signature: string) => boolean;

/** What a wallet of the fake signs with, in its chain's form: anyone can make it, so it is for tests alone. */
export function fakeSignature(address: string, challenge: string): string {
  const isEthereum = /^0x/iu.test(address);
  const bytes = new TextEncoder().encode(`${isEthereum ? address.toLowerCase() : address}:${challenge}`);
  if (!isEthereum) return base58(bytes);
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function walletFrom(type: string, address: string): Wallet {
  if (type !== 'ethereum' && type !== 'solana') throw new Refused('invalid_crypto_wallet_type');
  const form = type === 'ethereum' ? /^0x[0-9a-f]{40}$/iu : /^[1-9A-HJ-NP-Za-km-z]{32,44}$/u;
  if (!form.test(address)) throw new Refused('invalid_crypto_wallet_address');
  return { type, address };
}

const same = (a: Wallet, b: Wallet): boolean =>
  a.type === b.type &&
  (a.type === 'ethereum' ? a.address.toLowerCase() === b.address.toLowerCase() : a.address === b.address);

interface StartBody {
  readonly crypto_wallet_address: string;
  readonly crypto_wallet_type: string;
  readonly siwe_params?: Readonly<Record<string, unknown>> | undefined;
}

/** Crypto wallets: a challenge that is signed once, which names the site in the form of EIP-4361. */
export function answerWallets(answers: Answers, state: ServerState, verify: () => VerifySignature): void {
  const start = (body: StartBody, user_id: string | null): object => {
    const wallet = walletFrom(body.crypto_wallet_type, body.crypto_wallet_address);
    const challenge = message(state, wallet, body.siwe_params ?? {});
    state.walletChallenges.set(challenge, { ...wallet, challenge, user_id, expiresAt: state.in(MINUTES) });
    return { challenge };
  };

  answers
    .to(cryptoWallets.authenticateStartPrimary, (body) => start(body, null))
    .to(cryptoWallets.authenticateStartSecondary, (body, caller) =>
      start(body, requireSession(state, caller).session.user_id),
    )
    .to(cryptoWallets.authenticate, (body, caller) => {
      const { session_duration_minutes: minutes, signature } = body;
      checkDuration(minutes);
      const wallet = walletFrom(body.crypto_wallet_type, body.crypto_wallet_address);
      const mine = sessionOf(state, caller)?.session.user_id ?? null;
      const live = [...state.walletChallenges.values()].filter(
        (each) =>
          same(each, wallet) && each.expiresAt > state.now() && (each.user_id === null || each.user_id === mine),
      );
      if (live.length === 0) throw new Refused('crypto_wallet_challenge_not_found');
      const signed = live.find(({ challenge }) => verify()(wallet, challenge, signature));
      if (signed === undefined) throw new Refused('invalid_crypto_wallet_signature');
      state.walletChallenges.delete(signed.challenge);
      const { user_id, registration } = findOrCreate(state, wallet, signed.user_id);
      if (signed.user_id !== null && signed.user_id !== user_id) throw new Refused('duplicate_crypto_wallet');
      const { verified: _, ...crypto_wallet_factor } = registration;
      const factor = { type: 'crypto', delivery_method: 'crypto_wallet', crypto_wallet_factor };
      return logIn(state, { user_id, factor, minutes, caller });
    });
}

function findOrCreate(
  state: ServerState,
  wallet: Wallet,
  userId: string | null,
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
  const user_id = userId ?? newUser(state, 'active').user_id;
  const { crypto_wallets: before } = readUser(state, user_id);
  change(state, user_id, { crypto_wallets: [...before, registration] });
  return { user_id, registration };
}

function message(state: ServerState, { type, address }: Wallet, params: Readonly<Record<string, unknown>>): string {
  const { origins, defaultRedirectUrl } = state.settings;
  const { uri = new URL(defaultRedirectUrl).origin, statement = 'Signing in costs nothing.', resources } = params;
  const { chain_id = 1 } = params;
  const site = typeof uri === 'string' && URL.canParse(uri) ? new URL(uri) : null;
  if (site === null || (origins !== null && !origins.includes(site.origin))) throw new Refused('invalid_siwe_params');
  const chain = type === 'ethereum' ? 'Ethereum' : 'Solana';
  const lines = [
    `${site.host} wants you to sign in with your ${chain} account:`,
    address,
    '',
    String(statement),
    '',
    `URI: ${String(uri)}`,
    'Version: 1',
    `Chain ID: ${type === 'ethereum' ? String(chain_id) : 'mainnet'}`,
    `Nonce: ${nonce(state)}`,
    `Issued At: ${state.stamp()}`,
    `Expiration Time: ${new Date(state.in(MINUTES)).toISOString()}`,
    ...(Array.isArray(resources) ? ['Resources:', ...resources.map((each) => `- ${String(each)}`)] : []),
  ];
  return lines.join('\n');
}

function nonce(state: ServerState): string {
  return `fakenonce${state.next()}`;
}
