import { normalRecoveryCode, RECOVERY_CODES } from '../../../../server-rules/totps.ts';
import { Secret, TOTP } from 'otpauth';
import type { Random } from '../../base/platform.ts';

/** RFC 4226, section 4, requires 160 bits. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** RFC 6238, section 5.2: one step either way, because clocks differ and some people type slowly. */
const WINDOW = 1;

/** Without padding, as authenticator apps read it. */
export function base32(bytes: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;
}

/** A new secret in base32. */
export const newTotpSecret = (random: Random): string => base32(random.bytes(SECRET_BYTES));

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, six digits, thirty seconds. */
function totp(secret: string, labels: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({ ...labels, secret: Secret.fromBase32(secret), digits: DIGITS, period: PERIOD_SECONDS });
}

/** The `otpauth:` URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, issuer: string, label: string): string {
  return totp(secret, { issuer, label }).toString();
}

/** The time step of a moment. */
export const stepAt = (now: number): number => Math.floor(now / 1000 / PERIOD_SECONDS);

/** The time step that the code is valid for, or null. */
export function stepOf(secret: string, code: string, now: number): number | null {
  const offset = totp(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return offset === null ? null : stepAt(now) + offset;
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
