import { createHash, randomUUID } from 'node:crypto';
import { codeOf, enrolTotp, MINUTES } from '../attacks/attacker.ts';
import type { Fields, Provider, ProviderResponse } from './harness.ts';

/** What a page sends at least with a first factor. */
export const CHALLENGED = { mfa_code_challenge: createHash('sha256').update(randomUUID()).digest('base64url') };

/** A browser that keeps the verifier of the login that it began, and the secret of a user who trusts it. */
export class LoginBrowser {
  /** The fields that a client adds to every call of a login. */
  fields: Fields;
  readonly verifier = randomUUID() + randomUUID();

  constructor(private readonly provider: Pick<Provider, 'post'>) {
    this.fields = { mfa_code_challenge: createHash('sha256').update(this.verifier).digest('base64url') };
  }

  /** Sends a call, and keeps the tokens of its reply as the client does. */
  async post(path: string, body: Fields = {}): Promise<ProviderResponse> {
    const reply = await this.provider.post(path, { ...body, ...this.fields });
    const { intermediate_session_token: intermediate, trusted_device_token: trusted } = reply.data;
    if (intermediate !== undefined) {
      this.fields = { ...this.fields, intermediate_session_token: intermediate, mfa_code_verifier: this.verifier };
    }
    if (trusted !== undefined) this.fields = { ...this.fields, trusted_device_token: trusted };
    return reply;
  }
}

/** A user with an authenticator app, enrolled in a session of two factors. */
export async function makeGuarded(provider: Provider, email: string) {
  const browser = new LoginBrowser(provider);
  const first = await enterEmail(provider, browser, email);
  if (first.status !== 200) throw new Error(JSON.stringify(first.body));
  if (first.data['session'] !== null)
    return { ...(await enrolTotp(provider, String(first.data['session_token']))), email };
  const { data } = await browser.post('/totps', { expiration_minutes: 60 });
  const secret = String(data['secret']);
  const done = await browser.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES });
  if (done.status !== 200) throw new Error(JSON.stringify(done.body));
  provider.clock.time += 30_000;
  return {
    session: String(done.data['session_token']),
    totp_id: String(data['totp_id']),
    secret,
    recovery_codes: data['recovery_codes'] as readonly string[],
    email,
  };
}

/** Logs in by a passcode. */
export async function enterEmail(provider: Provider, browser: LoginBrowser, email: string, fields: Fields = {}) {
  const { method_id, code } = await provider.sendCode(email);
  return browser.post('/otps/authenticate', { token: code, method_id, ...MINUTES, ...fields });
}
