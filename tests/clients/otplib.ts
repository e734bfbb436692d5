import { generate } from 'otplib';

interface AppParameters {
  readonly algorithm?: 'SHA1' | 'SHA256' | 'SHA512';
  readonly digits?: 6 | 8;
  readonly period?: number;
}

const NAMES = { SHA1: 'sha1', SHA256: 'sha256', SHA512: 'sha512' } as const;

/** The code that an authenticator app shows at a time (milliseconds since 1970), computed by a library that nobody here wrote. */
export async function appCode(secret: string, parameters: AppParameters, now: number): Promise<string> {
  const { algorithm = 'SHA1', digits = 6, period = 30 } = parameters;
  return generate({ secret, algorithm: NAMES[algorithm], digits, period, epoch: Math.floor(now / 1000) });
}
