import type { WalletChain } from './wallets.ts';

/** Signing in by a wallet to the site that the message names: EIP-4361, and Solana's likeness of it. */

const ASKS = 'wants you to sign in with your';
const HEADERS: Readonly<Record<WalletChain, string>> = {
  ethereum: ` ${ASKS} Ethereum account:`,
  solana: ` ${ASKS} Solana account:`,
};

/**
 * True when a wallet of that chain may see the challenge on a page of this origin. A message that names a site must name
 * that page in its first line, so that nobody signs in elsewhere by what this page shows; where one is `required`,
 * nothing else will do.
 */
export function mayBeSigned(challenge: string, chain: WalletChain, origin: string, required: boolean): boolean {
  if (!challenge.toLowerCase().includes(ASKS)) return !required;
  const [first] = challenge.split('\n', 1);
  try {
    return [origin, new URL(origin).host].some((name) => first === `${name}${HEADERS[chain]}`);
  } catch {
    // A page without an origin, such as a sandboxed frame, has no name.
    return false;
  }
}
