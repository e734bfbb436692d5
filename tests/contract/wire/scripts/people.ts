import { otps, totps } from '#application/api/index.ts';
import { at, HOUR, textOf, type Wire } from '../wire.ts';

/** Logs in by an emailed passcode, in the given session if there is one; answers the session's token. */
export async function signIn(wire: Wire, who = 'ada', session?: string): Promise<string> {
  const email = wire.address(who);
  const { method_id } = await wire.call(otps.emailLoginOrCreate, { email });
  const token = await wire.world.codeFor(email);
  return textOf(await wire.call(otps.authenticate, { token, method_id, ...HOUR }, { session }), 'session_token');
}

/** A user with a verified authenticator app: the session that proved it, and the app's secret. */
export async function withTotp(wire: Wire, who = 'ada') {
  const session = await signIn(wire, who);
  const made = await wire.call(totps.create, { expiration_minutes: 60 }, { session });
  const secret = textOf(made, 'secret');
  const totp_code = wire.world.totpCodeFor(secret);
  const proven = await wire.call(totps.authenticate, { totp_code, ...HOUR }, { session });
  return { session: textOf(proven, 'session_token'), secret, recoveryCode: at(made, 'recovery_codes.0') };
}

/** A code that is not this one. */
export function otherThan(code: string): string {
  return code === '000000' ? '111111' : '000000';
}

export const MINUTE_MS = 60_000;
export const EVIL = 'https://evil.example/';
/** The example of RFC 7636, appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const OTHER_VERIFIER = 'x'.repeat(43);
