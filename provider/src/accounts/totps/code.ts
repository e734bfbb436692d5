import { normalRecoveryCode, RECOVERY_CODES } from '#server-rules/totps.ts';
import { Secret, TOTP } from 'otpauth';
import type { Random } from '#provider/base/platform.ts';

/** RFC 4226, section 4, requires 160 bits. */
const SECRET_BYTES = 20;
/** RFC 6238, section 5.2: one step either way, because clocks differ and some people type slowly. */
const WINDOW = 1;

/** The hash of the HMAC (RFC 6238, section 1.2). */
export const TOTP_ALGORITHMS = ['SHA1', 'SHA256', 'SHA512'] as const;

/** How an app computes its codes. */
export interface TotpParameters {
  readonly algorithm: (typeof TOTP_ALGORITHMS)[number];
  readonly digits: 6 | 8;
  /** In seconds. */
  readonly period: number;
}

/** The parameters that every authenticator app supports. Only apps of another system have others. */
export const USUAL_TOTP: TotpParameters = { algorithm: 'SHA1', digits: 6, period: 30 };

/** Without padding, as authenticator apps read it. */
export function base32(bytes: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;
}

/** A new secret in base32. */
export const newTotpSecret = (random: Random): string => base32(random.bytes(SECRET_BYTES));

/** The `otpauth:` URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, issuer: string, label: string): string {
  return new TOTP({ ...USUAL_TOTP, issuer, label, secret: Secret.fromBase32(secret) }).toString();
}

/** The time step of a moment. */
const stepAt = (now: number, { period }: TotpParameters): number => Math.floor(now / 1000 / period);

/** The time step that the code is valid for, or null. */
export function stepOf(secret: string, code: string, now: number, parameters = USUAL_TOTP): number | null {
  const { algorithm, digits, period } = parameters;
  const totp = new TOTP({ algorithm, digits, period, secret: Secret.fromBase32(secret) });
  const offset = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return offset === null ? null : stepAt(now, parameters) + offset;
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** The letters of a code. It has 120 bits, because a code of 112 bits or more needs no password hash (OWASP ASVS 5.0, 6.5.2). */
const CODE_LETTERS = 24;

/** Ten codes such as `k3mp-9qdf-x2aw-h7tz-4bnc-e8ru`: no letter looks like a digit. */
export function newRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from(random.bytes(CODE_LETTERS), (byte) => LETTERS.charAt(byte % LETTERS.length));
    return normalRecoveryCode(letters.join(''));
  });
}
