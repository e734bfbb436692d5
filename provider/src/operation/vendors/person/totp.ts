import { base32 } from '#provider/accounts/totps/code.ts';
import { importedTotp } from '#provider/accounts/account/import-factors.ts';
import { flawOf } from './flaw.ts';
import type { Loss } from '../vendor.ts';

export interface App {
  readonly secret: string;
  readonly algorithm: 'SHA1' | 'SHA256' | 'SHA512';
  readonly digits: 6 | 8;
  readonly period: number;
}

/** What every authenticator app supports, and most products use. */
const USUAL = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** The secret in upper case without spaces and padding; null for a text that is not base32. */
export function base32Secret(text: string): string | null {
  const plain = text.toUpperCase().replaceAll(/[\s=-]/gu, '');
  return /^[A-Z2-7]+$/u.test(plain) && ![1, 3, 6].includes(plain.length % 8) ? plain : null;
}

/** The base32 of the bytes of a text. */
export const base32Of = (text: string): string => base32(new TextEncoder().encode(text));

const loss = (reason: string): Loss => ({ what: 'app', reason });

interface OldApp {
  /** Base32. */
  readonly secret: string;
  /** `HmacSHA1`, `SHA-1` or another spelling. */
  readonly algorithm?: string | null;
  readonly digits?: number | null;
  readonly period?: number | null;
}

/** The app, or why it is lost. */
export function totpApp({ secret, ...options }: OldApp): App | Loss {
  const spelling = (options.algorithm ?? USUAL.algorithm).toUpperCase().replaceAll(/HMAC|[-_]/gu, '');
  const algorithm = (['SHA1', 'SHA256', 'SHA512'] as const).find((each) => each === spelling);
  if (algorithm === undefined) return loss('its codes are of an algorithm other than SHA-1, SHA-256 and SHA-512');
  const digits = options.digits ?? USUAL.digits;
  if (digits !== 6 && digits !== 8) return loss('its codes have neither six nor eight digits');
  const app = { secret, algorithm, digits, period: options.period ?? USUAL.period } as const;
  const flaw = flawOf(importedTotp, app);
  return flaw === null ? app : loss(flaw);
}
