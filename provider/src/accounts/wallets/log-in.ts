import {
  isDue,
  isFrom,
  signatureRefusal,
  signInChallenge,
  type IssuedChallenge,
  type Wallet,
  walletFrom,
} from '#server-rules/wallet-messages.ts';
import { FACTORS } from '#domain/rules/factors.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { CryptoWalletsTable } from './tables.ts';
import { ChangedMeanwhile, transaction } from '#provider/base/db/statements/transaction.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { Caller } from '../sessions/reading/current.ts';
import type { ProofLogin } from '../sessions/login/entering.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { Services, SessionServices } from '../services.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import { lockUser, type HeldUser } from '../users/lock.ts';
import { requireRoom } from '../users/room.ts';
import { newUser, removeUser } from '../users/store.ts';
import {
  keepChallenge,
  liveChallenges,
  redeemWalletChallenge,
  newNonce,
  readAddress,
  type ChallengedUser,
  type WalletAddition,
} from './challenges.ts';
import { ethereumSigner } from './ethereum.ts';
import { isSolanaSignature } from './solana.ts';

interface StartBody {
  readonly crypto_wallet_address: string;
  readonly crypto_wallet_type: string;
  readonly siwe_params?: Readonly<Record<string, unknown>> | undefined;
}

/** The message for the wallet to sign. */
export async function startWalletLogin(
  services: SessionServices & Pick<Services, 'limits'>,
  body: StartBody,
  request: { readonly adds: WalletAddition | null; readonly caller: Caller },
): Promise<{ challenge: string }> {
  const wallet = walletFrom(body.crypto_wallet_type, body.crypto_wallet_address, readAddress);
  const challenge = signInChallenge(wallet, body.siwe_params ?? {}, {
    project: services.project,
    page: request.caller.page,
    now: services.clock.now(),
    nonce: newNonce(services),
    readAddress,
  });
  await keepChallenge(services, wallet, { ...request, challenge });
  return { challenge };
}

function isSigned(wallet: Wallet, challenge: string, signature: string): boolean {
  if (wallet.type === 'solana') return isSolanaSignature(challenge, signature, wallet.address);
  return ethereumSigner(challenge, signature) === wallet.address;
}

export async function findWallet(db: Db, wallet: Wallet): Promise<CryptoWalletsTable | undefined> {
  return db
    .selectFrom('crypto_wallets')
    .selectAll()
    .where('crypto_wallet_type', '=', wallet.type)
    .where('crypto_wallet_address', '=', wallet.address)
    .executeTakeFirst();
}

/** The wallet's row. If there is none, it is created for the given user or a new one. */
async function findOrCreateWallet(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  wallet: Wallet,
  holder: HeldUser | null,
): Promise<CryptoWalletsTable> {
  const find = () => findWallet(tx, wallet);
  const row = await find();
  if (row !== undefined) return row;
  if (holder !== null) await requireRoom(tx, 'crypto_wallets', holder.user.user_id);
  const { user_id } = holder?.user ?? (await newUser(services, tx, { email: null }, { status: 'active' }));
  const newRow = await tx
    .insertInto('crypto_wallets')
    .values({
      crypto_wallet_id: newId(services.random, 'crypto-wallet'),
      user_id,
      crypto_wallet_type: wallet.type,
      crypto_wallet_address: wallet.address,
      created_at: new Date(services.clock.now()),
      added_in: holder?.session?.session_id ?? null,
    })
    .onConflict((conflict) => conflict.columns(['crypto_wallet_type', 'crypto_wallet_address']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (newRow !== undefined) return newRow;
  if (holder === null) await removeUser(tx, user_id);
  const winner = await find();
  if (winner === undefined) throw new ChangedMeanwhile();
  return winner;
}

/** False if the wallet was removed from its user while waiting for the lock. */
async function isRegistered(
  tx: Db,
  { crypto_wallet_id }: Pick<CryptoWalletsTable, 'crypto_wallet_id'>,
): Promise<boolean> {
  const row = await tx
    .selectFrom('crypto_wallets')
    .select('crypto_wallet_id')
    .where('crypto_wallet_id', '=', crypto_wallet_id)
    .executeTakeFirst();
  return row !== undefined;
}

interface WalletAuthenticationInput<Reply> {
  readonly wallet: Wallet;
  readonly signature: string;
  readonly caller: Caller;
  /** The user whose challenges are accepted in addition to those for a login. */
  readonly of: ChallengedUser;
  /** Locks the user who adds the wallet; refuses if they may no longer add one. */
  readonly hold: (tx: Db, userId: string) => Promise<HeldUser>;
  readonly enter: ProofLogin<Reply>;
}

/** Logs in the user of the wallet that signed a challenge. A new wallet is added to the user who requested that, or to a new user. */
export async function authenticateWallet<Reply>(
  services: RateLimitServices & Pick<Services, 'random' | 'project'>,
  { wallet, signature, caller, of, hold, enter }: WalletAuthenticationInput<Reply>,
): Promise<{ readonly reply: Reply; readonly challenge: IssuedChallenge }> {
  const candidates = await liveChallenges(services, wallet, of, caller.address);
  const live = candidates.filter((each) => isFrom(each, caller.page, readAddress));
  if (live.length === 0) throw new Refusal('crypto_wallet_challenge_not_found');
  const now = services.clock.now();
  const challenge = live.find((each) => isDue(each, now, readAddress) && isSigned(wallet, each.challenge, signature));
  if (challenge === undefined) {
    await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
    throw signatureRefusal(wallet, signature);
  }
  const reply = await transaction(services.db, async (tx) => {
    // An addition requires its user; a challenge without a user is for a login.
    const holder = challenge.user_id === null ? null : await hold(tx, challenge.user_id);
    if (holder !== null && holder.user.user_id !== challenge.user_id) {
      throw new Refusal('crypto_wallet_challenge_not_found');
    }
    await redeemWalletChallenge(tx, challenge);
    const registered = await findOrCreateWallet(services, tx, wallet, holder);
    if (challenge.user_id !== null && registered.user_id !== challenge.user_id)
      throw new Refusal('duplicate_crypto_wallet');
    const user = await lockUser(tx, registered.user_id);
    if (user === undefined || !(await isRegistered(tx, registered))) {
      throw new Refusal('crypto_wallet_challenge_not_found');
    }
    return enter(tx, user, FACTORS.wallet(registered));
  });
  return { reply, challenge };
}
