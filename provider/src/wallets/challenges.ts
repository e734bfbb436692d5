import type { Db } from '../db/tables.ts';
import type { CryptoWalletsTable, WalletChallengesTable } from '../db/tables-passkeys-wallets-social.ts';
import type { Caller } from '../http/endpoints.ts';
import { Refusal } from '../http/refusal.ts';
import { MINUTE_MS } from '../platform.ts';
import { allowsOrigin, type Project } from '../project/project.ts';
import { tokenHash } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { networkKey } from '../store/known-networks.ts';
import { take } from '../store/limits.ts';
import { ethereumAddress } from './ethereum.ts';
import { CLOCK_SKEW_MS, formatSiwe, timeOf } from './siwe.ts';
import { solanaAddress } from './solana.ts';

export interface Wallet {
  readonly type: CryptoWalletsTable['crypto_wallet_type'];
  /** In its one spelling: EIP-55, or base58. */
  readonly address: string;
}

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

/** A text for wallets that know no other form, which says to a person what it is for. */
export function plainChallenge(services: Services, wallet: Wallet): string {
  const now = services.clock.now();
  return [
    `${services.project.name} asks you to sign in with your wallet:`,
    wallet.address,
    '',
    'Signing costs nothing and moves nothing.',
    '',
    `Nonce: ${newNonce(services)}`,
    `Issued At: ${new Date(now).toISOString()}`,
    `Expiration Time: ${new Date(now + LIFETIME_MS).toISOString()}`,
  ].join('\n');
}

function wrong(what: string): Refusal {
  return new Refusal('invalid_siwe_params', `siwe_params: ${what}.`);
}

function text(params: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = params[field] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw wrong(`${field} must be a string`);
  return value;
}

/** The registered site of the URI: its host goes into the message, which is what a wallet shows. */
function siteOf(project: Project, uri: string | undefined): URL {
  try {
    const url = new URL(uri ?? '');
    if (url.username === '' && url.password === '' && allowsOrigin(project, url.origin)) return url;
  } catch {
    // As an origin that is not registered.
  }
  throw wrong('uri must be at a registered origin of this project');
}

/** An EIP-4361 message for one of the project's own sites. */
export function siweChallenge(services: Services, wallet: Wallet, params: Readonly<Record<string, unknown>>): string {
  const now = services.clock.now();
  const uri = text(params, 'uri');
  const issuedAt = text(params, 'issued_at') ?? new Date(now).toISOString();
  const issued = timeOf(issuedAt);
  if (issued === null || Math.abs(issued - now) > CLOCK_SKEW_MS) throw wrong('issued_at must be the time of now');
  const chainId = params['chain_id'] ?? 1;
  // Clients of this wire send it as a number or as its digits.
  if (
    !/^[1-9]\d{0,14}$/u.test(typeof chainId === 'number' ? String(chainId) : typeof chainId === 'string' ? chainId : '')
  ) {
    throw wrong('chain_id must be a positive whole number');
  }
  const resources = params['resources'] ?? undefined;
  if (resources !== undefined && !isTextList(resources)) throw wrong('resources must be an array of strings');
  const notBefore = text(params, 'not_before');
  const expires = now + LIFETIME_MS;
  if (notBefore !== undefined && (timeOf(notBefore) ?? Infinity) >= expires) {
    throw wrong('not_before must come before the message expires');
  }
  const message = formatSiwe({
    domain: siteOf(services.project, uri).host,
    address: wallet.address,
    statement: text(params, 'statement'),
    uri: uri ?? '',
    version: '1',
    chainId: Number(chainId),
    nonce: newNonce(services),
    issuedAt,
    expirationTime: new Date(expires).toISOString(),
    notBefore,
    requestId: text(params, 'message_request_id'),
    resources,
  });
  if (message === null) throw wrong('a field does not have the form of EIP-4361');
  return message;
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
 * Keeps the challenge until it is signed or over. None makes room for another: who asks again and again for a
 * stranger's wallet is refused, and takes nothing away from its owner.
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

/** Spends the challenge; refuses whoever comes second. */
export async function redeemWalletChallenge(tx: Db, { challenge_hash }: WalletChallengesTable): Promise<void> {
  const spent = await tx
    .deleteFrom('wallet_challenges')
    .where('challenge_hash', '=', challenge_hash)
    .returning('challenge_hash')
    .executeTakeFirst();
  if (spent === undefined) throw new Refusal('crypto_wallet_challenge_not_found');
}
