import type { WalletKind } from '#domain/wallets/wallets.ts';
import { base58, bytesOfBase58 } from './base58.ts';
import { bytesIn, call, has, read } from './foreign.ts';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** The window properties of Solana wallets, apart from Phantom's own. */
const PLACES = ['solana', 'solflare', 'backpack'];

const isWallet = (value: unknown): value is object => has(value, 'connect', 'signMessage');

/**
 * The Solana wallets of a window: the registered ones, then those in its properties now. Phantom registers itself. If other wallets are
 * registered but Phantom is not, a wallet in a shared property with only Phantom's flag is another wallet.
 */
export function findSolanaWallets(
  window: Window,
  registered: ReadonlyMap<WalletKind, object>,
): Map<WalletKind, object> {
  const found = new Map(registered);
  const own = read(read(window, 'phantom'), 'solana');
  if (isWallet(own) && !found.has('phantom')) found.set('phantom', own);
  for (const place of PLACES) {
    const wallet = read(window, place);
    if (!isWallet(wallet) || wallet === own) continue;
    const isPhantom = read(wallet, 'isPhantom') === true && (registered.size === 0 || found.has('phantom'));
    const kind = isPhantom ? 'phantom' : 'solana';
    if (!found.has(kind)) found.set(kind, wallet);
  }
  return found;
}

/** The base58 text of a wallet's public key; null if it is not a public key. */
async function addressOf(key: unknown): Promise<string | null> {
  const method = ['toBase58', 'toString'].find((name) => has(key, name));
  const text = typeof key === 'object' && key !== null && method !== undefined ? await call(key, method) : key;
  return typeof text === 'string' && bytesOfBase58(text)?.length === KEY_BYTES ? text : null;
}

/** Requests that the person share their address with the page. Rejects if the response contains no address. */
export async function solanaAddress(wallet: object): Promise<string> {
  const answer = await call(wallet, 'connect');
  const address = await addressOf(read(answer, 'publicKey') ?? read(wallet, 'publicKey'));
  if (address === null) throw new TypeError('The wallet returned no address');
  return address;
}

/** Signs the message's UTF-8 bytes; the signature is base58. Rejects if the person has switched to another account in the meantime. */
export async function solanaSignature(wallet: object, message: string, address: string): Promise<string> {
  const checkKey = async (key: unknown): Promise<void> => {
    const other = await addressOf(key);
    if (other !== null && other !== address) throw new TypeError('The wallet changed to another account');
  };
  await checkKey(read(wallet, 'publicKey'));
  const answer = await call(wallet, 'signMessage', new TextEncoder().encode(message), 'utf8');
  await checkKey(read(answer, 'publicKey'));
  const bytes = bytesIn(read(answer, 'signature') ?? answer);
  if (bytes?.length !== SIGNATURE_BYTES) throw new TypeError('The wallet returned no signature');
  return base58(bytes);
}
