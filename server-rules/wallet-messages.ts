import { WALLET_CHALLENGE_MINUTES, MINUTE_MS } from '#domain/rules/lifetimes.ts';
import { allowsOrigin, parsedUrl, type DefaultRedirects, type RegisteredPages } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import {
  CLOCK_SKEW_MS,
  formatMessage,
  isTimely,
  originOf,
  parseMessage,
  timeOf,
  type MessageForm,
  type SignInMessage,
} from './sign-in-message.ts';

/** A wallet, with its address in normal form. */
export interface Wallet {
  readonly type: 'ethereum' | 'solana';
  readonly address: string;
}

/** The address in its normal form (EIP-55 or base58), or null for an address that is invalid on that chain. */
export type ReadAddress = (type: Wallet['type'], text: string) => string | null;

/** The wire's `siwe_params`, unchecked. */
type Params = Readonly<Record<string, unknown>>;
/** A stored challenge. */
export type IssuedChallenge = { readonly crypto_wallet_type: Wallet['type']; readonly challenge: string };
type Project = Pick<RegisteredPages, 'origins' | 'allow_loopback'> &
  Pick<DefaultRedirects, 'default_login_redirect_url'>;

/** The default statement. */
const STATEMENT = 'Signing in costs nothing and moves nothing.';
const SOLANA_CLUSTER = 'mainnet';

/** Messages with which an Ethereum account signs in (EIP-4361), and Solana's variant, with clusters instead of chains. */
export function messageForm(type: Wallet['type'], readAddress: ReadAddress): MessageForm {
  const isAddress = (text: string): boolean => readAddress(type, text) === text;
  return type === 'ethereum'
    ? {
        header: ' wants you to sign in with your Ethereum account:',
        isAddress,
        isChainId: (text) => /^[0-9]{1,15}$/u.test(text),
      }
    : {
        header: ' wants you to sign in with your Solana account:',
        isAddress,
        isChainId: (text) => /^(?:solana:)?(?:mainnet|testnet|devnet|localnet)$/u.test(text),
      };
}

/** The wallet of a request. Throws a Refusal for an address of the other type. */
export function walletFrom(type: string, address: string, readAddress: ReadAddress): Wallet {
  if (type !== 'ethereum' && type !== 'solana') throw new Refusal('invalid_crypto_wallet_type');
  const walletAddress = readAddress(type, address);
  if (walletAddress === null) throw new Refusal('invalid_crypto_wallet_address');
  return { type, address: walletAddress };
}

/** The length of a signature by a key, in bytes. Signatures of contract wallets (EIP-1271, EIP-6492) can have any other length. */
const ECDSA_SIGNATURE = /^0x[0-9a-f]{130}$/iu;
const BYTES = /^0x(?:[0-9a-f]{2})*$/iu;

/**
 * The refusal of a signature that matches no challenge. Signatures of contracts are not verified: that needs an RPC endpoint of the
 * wallet's chain, and whoever controls the endpoint could log in as any of these wallets.
 */
export function signatureRefusal({ type }: Wallet, signature: string): Refusal {
  const isOfContract = type === 'ethereum' && BYTES.test(signature) && !ECDSA_SIGNATURE.test(signature);
  return new Refusal(isOfContract ? 'unsupported_crypto_wallet' : 'invalid_crypto_wallet_signature');
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
 * The site in the message, which the wallet shows: the calling page's, or for other callers the given URI's, else the project's own.
 * A page cannot request a message for another site.
 */
function siteOf(project: Project, uri: string | undefined, page: string | null): { domain: string; uri: string } {
  const url = parsedUrl(uri ?? page ?? new URL(project.default_login_redirect_url).origin);
  const isRegistered = uri === undefined || (url !== null && allowsOrigin(project, url.origin));
  if (url === null || url.username !== '' || url.password !== '' || !isRegistered) {
    throw wrong('uri must be at one of origins of the project file');
  }
  if (page !== null && url.origin !== page) throw wrong('uri must be at the origin of the page that asks');
  return { domain: url.host, uri: uri ?? url.origin };
}

/** The chain of an Ethereum wallet: clients of this wire send it as a number or as its digits. */
function chainIdFrom({ chain_id: chainId = 1 }: Params): string {
  const digits = typeof chainId === 'number' ? String(chainId) : chainId;
  if (typeof digits !== 'string' || !/^[1-9]\d{0,14}$/u.test(digits)) {
    throw wrong('chain_id must be a positive whole number');
  }
  return digits;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The inputs of a challenge in addition to the request. */
export interface ChallengeContext {
  readonly project: Project;
  /** The origin of the calling page; null for a caller that is not a page. */
  readonly page: string | null;
  readonly now: number;
  /** At least 8 letters or digits. */
  readonly nonce: string;
  readonly readAddress: ReadAddress;
}

/**
 * A message with which the wallet signs in to one of the project's own sites. There are no messages without a site, because any page could
 * obtain a signature for one and use it elsewhere. `chain_id` is ignored for Solana.
 */
export function signInChallenge(wallet: Wallet, params: Params, context: ChallengeContext): string {
  const { project, page, now, nonce, readAddress } = context;
  const issuedAt = text(params, 'issued_at') ?? new Date(now).toISOString();
  const issued = timeOf(issuedAt);
  if (issued === null || Math.abs(issued - now) > CLOCK_SKEW_MS) throw wrong('issued_at must be the time of now');
  const resources = params['resources'] ?? undefined;
  if (resources !== undefined && !isTextList(resources)) throw wrong('resources must be an array of strings');
  const notBefore = text(params, 'not_before');
  const expires = now + WALLET_CHALLENGE_MINUTES * MINUTE_MS;
  if (notBefore !== undefined && (timeOf(notBefore) ?? Infinity) >= expires) {
    throw wrong('not_before must come before the message expires');
  }
  const fields: Omit<SignInMessage, 'chainId'> = {
    ...siteOf(project, text(params, 'uri'), page),
    address: wallet.address,
    // Without a statement, Solana's format has one blank line less, and wallets that parse the text would not find the fields.
    statement: text(params, 'statement') ?? STATEMENT,
    version: '1',
    nonce,
    issuedAt,
    expirationTime: new Date(expires).toISOString(),
    notBefore,
    requestId: text(params, 'message_request_id'),
    resources,
  };
  const chainId = wallet.type === 'ethereum' ? chainIdFrom(params) : SOLANA_CLUSTER;
  const message = formatMessage(messageForm(wallet.type, readAddress), { ...fields, chainId });
  if (message === null) throw wrong('a field does not have the form of EIP-4361');
  return message;
}

function messageIn({ crypto_wallet_type, challenge }: IssuedChallenge, readAddress: ReadAddress): SignInMessage | null {
  return parseMessage(messageForm(crypto_wallet_type, readAddress), challenge);
}

/** True if the challenge names a site; if the caller is a page, it must be the page's own site. */
export function isFrom(issued: IssuedChallenge, page: string | null, readAddress: ReadAddress): boolean {
  const message = messageIn(issued, readAddress);
  return message !== null && (page === null || originOf(message.uri) === page);
}

/** True if the current time is within the times of the message. */
export function isDue(issued: IssuedChallenge, now: number, readAddress: ReadAddress): boolean {
  const message = messageIn(issued, readAddress);
  return message !== null && isTimely(message, now);
}

/** The backend API's description of a message that an Ethereum wallet signed. */
export interface SignedSiweParams {
  readonly domain: string;
  readonly uri: string;
  readonly chain_id: string;
  readonly resources: readonly string[];
  readonly status_code: 200;
  readonly issued_at: string;
  readonly message_request_id?: string;
}

/** The parameters of a signed challenge; null for a Solana wallet. */
export function siweParamsOf(issued: IssuedChallenge, readAddress: ReadAddress): SignedSiweParams | null {
  const message = issued.crypto_wallet_type === 'ethereum' ? messageIn(issued, readAddress) : null;
  if (message === null) return null;
  const { domain, uri, chainId: chain_id, resources = [], issuedAt: issued_at, requestId } = message;
  return {
    domain,
    uri,
    chain_id,
    resources,
    status_code: 200,
    issued_at,
    ...(requestId === undefined ? {} : { message_request_id: requestId }),
  };
}
