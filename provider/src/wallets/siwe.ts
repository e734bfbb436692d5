import { messageForm } from '../../../src/domain/rules/wallet-messages.ts';
import {
  formatMessage,
  isTimely,
  originOf,
  parseMessage,
  type SignInMessage,
} from '../../../src/domain/rules/sign-in-message.ts';
import { ethereumAddress, ethereumSigner } from './ethereum.ts';

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

/** The values that the verifier expects. */
export interface SiweExpected {
  readonly domain: string;
  readonly nonce: string;
  readonly uriOrigin?: string | undefined;
  readonly chainIds?: readonly number[] | undefined;
}

/** True if the message's account signed it, it has the expected domain and nonce, and it is valid at this time. */
export function isSignedSiwe(text: string, signature: string, expected: SiweExpected, now: number): boolean {
  const message = parseSiwe(text);
  if (message === null || message.domain !== expected.domain || message.nonce !== expected.nonce) return false;
  if (expected.uriOrigin !== undefined && originOf(message.uri) !== expected.uriOrigin) return false;
  if (expected.chainIds !== undefined && !expected.chainIds.includes(message.chainId)) return false;
  if (!isTimely(message, now)) return false;
  return ethereumSigner(text, signature) === message.address;
}
