import { formatMessage, parseMessage, type MessageForm, type SignInMessage } from './sign-in-message.ts';
import { solanaAddress } from './solana.ts';

/** Sign In With Solana: the text that the wallets' standard makes of EIP-4361, with clusters for chains. */
const SOLANA: MessageForm = {
  header: ' wants you to sign in with your Solana account:',
  isAddress: (text) => solanaAddress(text) !== null,
  isChainId: (text) => /^(?:solana:)?(?:mainnet|testnet|devnet|localnet)$/u.test(text),
};

export const SOLANA_CLUSTER = 'mainnet';

/** The message in a text, or null for a text that is none of these. */
export function parseSiws(text: string): SignInMessage | null {
  return parseMessage(SOLANA, text);
}

/**
 * The text of a message, or null when its fields make none. The statement is needed: without one, Solana's form has a
 * blank line less than EIP-4361's, and wallets that read the text would not find its fields.
 */
export function formatSiws(message: SignInMessage & { readonly statement: string }): string | null {
  return formatMessage(SOLANA, message);
}
