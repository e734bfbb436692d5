import type { Selectable } from 'kysely';
import { WALLET_CHALLENGE_MINUTES } from '#domain/rules/lifetimes.ts';
import type { ReadAddress, Wallet } from '#server-rules/wallet-messages.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { WalletChallengesTable } from './tables.ts';
import type { Caller } from '../sessions/reading/current.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';
import { networkKey } from '#provider/base/security/known-networks.ts';
import { take } from '#provider/base/security/limits.ts';
import { ethereumAddress } from './ethereum.ts';
import { solanaAddress } from './solana.ts';

type WalletChallenge = Selectable<WalletChallengesTable>;

/** The maximum number of signatures that one request checks. */
const COMPARED = 40;
const NONCE_BYTES = 16;

/** The address with its EIP-55 checksum, or in base58. */
export const readAddress: ReadAddress = (type, text) =>
  type === 'ethereum' ? ethereumAddress(text) : solanaAddress(text);

/** 32 hexadecimal digits: 128 bits in the alphabet that EIP-4361 allows. */
export function newNonce({ random }: Pick<Services, 'random'>): string {
  return Buffer.from(random.bytes(NONCE_BYTES)).toString('hex');
}

interface ChallengeRequest {
  readonly challenge: string;
  /** The user who adds the wallet; null for a login. */
  readonly adds: WalletAddition | null;
  readonly caller: Caller;
}

/** A wallet to add to a user. */
export interface WalletAddition {
  readonly user_id: string;
  readonly needs_session: boolean;
  /** Locks the user in the transaction that begins the addition; refuses if they may no longer begin one. */
  readonly hold: (tx: Db) => Promise<unknown>;
}

/**
 * Stores the challenge until it is signed or expires. It replaces no other challenge: requests for a stranger's wallet are limited and do
 * not affect its owner.
 */
export async function keepChallenge(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'limits'>,
  wallet: Wallet,
  { challenge, adds, caller }: ChallengeRequest,
): Promise<void> {
  const network = networkKey(services, caller.address);
  const { challengesPerWallet } = services.limits;
  // A browser in which a user has logged in does not share a limit with strangers on its network.
  const asker = adds?.user_id ?? caller.device?.lastKey ?? network;
  await take(services, `challenge:${wallet.type}:${wallet.address}:${asker}`, challengesPerWallet, 'too_many_requests');
  const now = services.clock.now();
  const row = {
    challenge_hash: tokenHash(challenge),
    crypto_wallet_type: wallet.type,
    crypto_wallet_address: wallet.address,
    user_id: adds?.user_id ?? null,
    needs_session: adds?.needs_session ?? true,
    network,
    challenge,
    created_at: new Date(now),
    expires_at: new Date(now + WALLET_CHALLENGE_MINUTES * MINUTE_MS),
  };
  const store = async (db: Db) => db.insertInto('wallet_challenges').values(row).execute();
  if (adds === null) await store(services.db);
  else {
    await transaction(services.db, async (tx) => {
      await adds.hold(tx);
      await store(tx);
    });
  }
}

/** A user id; null for no user; or any user that the app's own server vouched for. */
export type ChallengedUser = string | null | typeof ANY_VOUCHED_FOR;
export const ANY_VOUCHED_FOR = Symbol('any user vouched for');

/**
 * The wallet's live challenges: for a login, and for the user who adds it. The user's own come first, then those that the same network
 * requested, so that other people's challenges cannot displace them. Does not spend them.
 */
export async function liveChallenges(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  wallet: Wallet,
  user: ChallengedUser,
  address: string,
): Promise<readonly WalletChallenge[]> {
  return services.db
    .selectFrom('wallet_challenges')
    .selectAll()
    .where('crypto_wallet_type', '=', wallet.type)
    .where('crypto_wallet_address', '=', wallet.address)
    .where('expires_at', '>', new Date(services.clock.now()))
    .where((where) => {
      const forLogin = where('user_id', 'is', null);
      if (user === ANY_VOUCHED_FOR) return where.or([forLogin, where('needs_session', '=', false)]);
      return user === null ? forLogin : where.or([forLogin, where('user_id', '=', user)]);
    })
    .orderBy((order) => order('user_id', 'is', null))
    .orderBy((order) => order('network', '!=', networkKey(services, address)))
    .orderBy('created_at', 'desc')
    .limit(COMPARED)
    .execute();
}

/** Spends the challenge; refuses a second use. */
export async function redeemWalletChallenge(tx: Db, { challenge_hash }: WalletChallenge): Promise<void> {
  const row = await tx
    .deleteFrom('wallet_challenges')
    .where('challenge_hash', '=', challenge_hash)
    .returning('challenge_hash')
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('crypto_wallet_challenge_not_found');
}
