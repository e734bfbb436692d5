import { messageForm } from '#server-rules/wallet-messages.ts';
import { formatMessage, parseMessage, type SignInMessage } from '#server-rules/sign-in-message.ts';
import { ethereumAddress } from '#provider/accounts/wallets/ethereum.ts';

/** A sign-in message of an Ethereum account (EIP-4361). */
export interface SiweMessage extends Omit<SignInMessage, 'chainId'> {
  readonly chainId: number;
}

const ETHEREUM = messageForm('ethereum', (_, text) => ethereumAddress(text));

/** Parses a message, or returns null for text outside the grammar of EIP-4361. */
export function parseSiwe(text: string): SiweMessage | null {
  const message = parseMessage(ETHEREUM, text);
  return message === null ? null : { ...message, chainId: Number(message.chainId) };
}

/** Formats a message, or returns null for invalid fields. */
export function formatSiwe(message: SiweMessage): string | null {
  return formatMessage(ETHEREUM, { ...message, chainId: String(message.chainId) });
}
