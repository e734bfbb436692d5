import type { WalletChain } from './wallets.ts';

/** Checks of sign-in messages for wallets: EIP-4361, and Solana's equivalent. */

const ASKS = 'wants you to sign in with your';
const HEADERS: Readonly<Record<WalletChain, string>> = {
  ethereum: ` ${ASKS} Ethereum account:`,
  solana: ` ${ASKS} Solana account:`,
};

/**
 * True if a page of this origin may give the challenge to a wallet of that chain. A sign-in message must name this page's site in its first
 * line, because a message for another site would sign the person in there. Any other text is accepted unless a sign-in message is
 * `required`.
 */
export function mayBeSigned(challenge: string, chain: WalletChain, origin: string, required: boolean): boolean {
  if (!challenge.toLowerCase().includes(ASKS)) return !required;
  const [first] = challenge.split('\n', 1);
  try {
    return [origin, new URL(origin).host].some((name) => first === `${name}${HEADERS[chain]}`);
  } catch {
    // The page has no origin, for example in a sandboxed frame.
    return false;
  }
}
