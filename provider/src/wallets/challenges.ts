import type { Db } from '../db/database.ts';
import type { CryptoWalletsTable, WalletChallengesTable } from './tables.ts';
import type { Caller } from '../sessions/current.ts';
import { Refusal } from '../http/refusal.ts';
import { MINUTE_MS } from '../platform.ts';
import { allowsOrigin, type Project } from '../project/project.ts';
import { tokenHash } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { networkKey } from '../security/known-networks.ts';
import { take } from '../security/limits.ts';
import { ethereumAddress } from './ethereum.ts';
import { CLOCK_SKEW_MS, isTimely, originOf, timeOf, type SignInMessage } from './sign-in-message.ts';
import { formatSiwe, parseSiwe } from './siwe.ts';
import { formatSiws, parseSiws, SOLANA_CLUSTER } from './siws.ts';
import { solanaAddress } from './solana.ts';

export interface Wallet {
  readonly type: CryptoWalletsTable['crypto_wallet_type'];
  /** In its one spelling: EIP-55, or base58. */
  readonly address: string;
}

/** The wire's `siwe_params`, as they came. */
type Params = Readonly<Record<string, unknown>>;
type Issued = Pick<WalletChallengesTable, 'crypto_wallet_type' | 'challenge'>;

/** The statement when the caller gives none. */
const STATEMENT = 'Signing in costs nothing and moves nothing.';
const LIFETIME_MS = 5 * MINUTE_MS;
/** So many signatures are checked in one request. */
const COMPARED = 40;
const NONCE_BYTES = 16;

/** The wallet that a request names; refuses an address of the other type. */
export function walletFrom(type: string, address: string): Wallet {
  if (type !== 'ethereum' && type !== 'solana') throw new Refusal('invalid_crypto_wallet_type');
  const known = type === 'ethereum' ? ethereumAddress(address) : solanaAddress(address);
  if (known === null) throw new Refusal('invalid_crypto_wallet_address');
  return { type, address: known };
}

/** 32 hexadecimal digits: 128 bits in the alphabet that EIP-4361 allows. */
function newNonce({ random }: Services): string {
  return Buffer.from(random.bytes(NONCE_BYTES)).toString('hex');
}

function wrong(what: string): Refusal {
  return new Refusal('invalid_siwe_params', `siwe_params: ${what}.`);
}

function text(params: Params, field: string): string | undefined {
  const value = params[field] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw wrong(`${field} must be a string`);
  return value;
}

/**
 * The site that the message names, which is what a wallet shows: the page that asks, or for who is no page the one that
 * it gives, else the project's own. A page signs in to no other one.
 */
function siteOf(project: Project, uri: string | undefined, page: string | null): { domain: string; uri: string } {
  const url = parsed(uri ?? page ?? new URL(project.default_login_redirect_url).origin);
  const isRegistered = uri === undefined || (url !== null && allowsOrigin(project, url.origin));
  if (url === null || url.username !== '' || url.password !== '' || !isRegistered) {
    throw wrong('uri must be at a registered origin of this project');
  }
  if (page !== null && url.origin !== page) throw wrong('uri must be at the origin of the page that asks');
  return { domain: url.host, uri: uri ?? url.origin };
}

function parsed(uri: string): URL | null {
  try {
    return new URL(uri);
  } catch {
    return null;
  }
}

/** The chain of an Ethereum wallet: clients of this wire send it as a number or as its digits. */
function chainIdFrom({ chain_id: chainId = 1 }: Params): number {
  const digits = typeof chainId === 'number' ? String(chainId) : chainId;
  if (typeof digits !== 'string' || !/^[1-9]\d{0,14}$/u.test(digits)) {
    throw wrong('chain_id must be a positive whole number');
  }
  return Number(digits);
}

/**
 * A message by which the wallet signs in to one of the project's own sites: EIP-4361, or Solana's likeness of it, for
 * which `chain_id` says nothing. There is no other form: a text without a site could be signed on any page, and be
 * handed on from there.
 */
export function signInChallenge(services: Services, wallet: Wallet, params: Params, page: string | null): string {
  const now = services.clock.now();
  const issuedAt = text(params, 'issued_at') ?? new Date(now).toISOString();
  const issued = timeOf(issuedAt);
  if (issued === null || Math.abs(issued - now) > CLOCK_SKEW_MS) throw wrong('issued_at must be the time of now');
  const resources = params['resources'] ?? undefined;
  if (resources !== undefined && !isTextList(resources)) throw wrong('resources must be an array of strings');
  const notBefore = text(params, 'not_before');
  const expires = now + LIFETIME_MS;
  if (notBefore !== undefined && (timeOf(notBefore) ?? Infinity) >= expires) {
    throw wrong('not_before must come before the message expires');
  }
  const fields = {
    ...siteOf(services.project, text(params, 'uri'), page),
    address: wallet.address,
    statement: text(params, 'statement') ?? STATEMENT,
    version: '1',
    nonce: newNonce(services),
    issuedAt,
    expirationTime: new Date(expires).toISOString(),
    notBefore,
    requestId: text(params, 'message_request_id'),
    resources,
  };
  const message =
    wallet.type === 'ethereum'
      ? formatSiwe({ ...fields, chainId: chainIdFrom(params) })
      : formatSiws({ ...fields, chainId: SOLANA_CLUSTER });
  if (message === null) throw wrong('a field does not have the form of EIP-4361');
  return message;
}

function messageIn({ crypto_wallet_type, challenge }: Issued): Omit<SignInMessage, 'chainId'> | null {
  return crypto_wallet_type === 'ethereum' ? parseSiwe(challenge) : parseSiws(challenge);
}

/** True for a challenge that a page may answer, or who is no page: one that names a site, and no other than its own. */
export function isFrom(issued: Issued, page: string | null): boolean {
  const message = messageIn(issued);
  return message !== null && (page === null || originOf(message.uri) === page);
}

/** True within the times that the message names. */
export function isDue(issued: Issued, now: number): boolean {
  const message = messageIn(issued);
  return message !== null && isTimely(message, now);
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

interface Asked {
  readonly challenge: string;
  readonly userId: string | null;
  readonly caller: Caller;
}

/**
 * Keeps the challenge until it is signed or over. A new challenge displaces none: repeated requests for a stranger's
 * wallet are limited and do not hurt its owner.
 */
export async function keepChallenge(
  services: Services,
  wallet: Wallet,
  { challenge, userId, caller }: Asked,
): Promise<void> {
  const network = networkKey(services, caller.address);
  const { challengesPerWallet } = services.limits;
  const asker = userId ?? network;
  await take(services, `challenge:${wallet.type}:${wallet.address}:${asker}`, challengesPerWallet, 'too_many_requests');
  const now = services.clock.now();
  await services.db
    .insertInto('wallet_challenges')
    .values({
      challenge_hash: tokenHash(challenge),
      crypto_wallet_type: wallet.type,
      crypto_wallet_address: wallet.address,
      user_id: userId,
      network,
      challenge,
      created_at: new Date(now),
      expires_at: new Date(now + LIFETIME_MS),
    })
    .execute();
}

/**
 * The wallet's live challenges: of a login, and of the user who adds it. The user's own come first, and then those that
 * their network asked for, so that no number of others pushes these out. Spends nothing.
 */
export async function liveChallenges(
  services: Services,
  wallet: Wallet,
  userId: string | null,
  address: string,
): Promise<readonly WalletChallengesTable[]> {
  return services.db
    .selectFrom('wallet_challenges')
    .selectAll()
    .where('crypto_wallet_type', '=', wallet.type)
    .where('crypto_wallet_address', '=', wallet.address)
    .where('expires_at', '>', new Date(services.clock.now()))
    .where((where) =>
      userId === null
        ? where('user_id', 'is', null)
        : where.or([where('user_id', 'is', null), where('user_id', '=', userId)]),
    )
    .orderBy((order) => order('user_id', 'is', null))
    .orderBy((order) => order('network', '!=', networkKey(services, address)))
    .orderBy('created_at', 'desc')
    .limit(COMPARED)
    .execute();
}

/** Spends the challenge; refuses a second use. */
export async function redeemWalletChallenge(tx: Db, { challenge_hash }: WalletChallengesTable): Promise<void> {
  const spent = await tx
    .deleteFrom('wallet_challenges')
    .where('challenge_hash', '=', challenge_hash)
    .returning('challenge_hash')
    .executeTakeFirst();
  if (spent === undefined) throw new Refusal('crypto_wallet_challenge_not_found');
}
