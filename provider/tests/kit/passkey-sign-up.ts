import type { Fields, Provider, ProviderResponse } from './harness.ts';
import { SoftwareAuthenticator } from './webauthn-authenticator.ts';

/** A project that allows sign-ups with a passkey alone. */
export const SIGN_UPS = { passkeys: { sign_up: true } } as const;

/** The options of a sign-up with this address. */
export async function signUpOptions(provider: Provider, email: string): Promise<Fields> {
  const { data } = await provider.post('/webauthn/sign_up/start', { domain: 'localhost', email });
  return JSON.parse(data['public_key_credential_creation_options']) as Fields;
}

/** Begins a sign-up with a new passkey. Resolves with that, and with the function that finishes it. */
export async function beginSignUp(provider: Provider, email: string, session?: string) {
  const key = new SoftwareAuthenticator();
  const public_key_credential = key.create(await signUpOptions(provider, email));
  const body = { public_key_credential, session_duration_minutes: 60 };
  const finish = (): Promise<ProviderResponse> =>
    provider.post('/webauthn/sign_up', body, session === undefined ? {} : { session });
  return { key, public_key_credential, finish };
}

/** Logs in with the passkey. */
export async function enterBy(provider: Provider, key: SoftwareAuthenticator): Promise<ProviderResponse> {
  const asked = { domain: 'localhost', return_passkey_credential_options: true };
  const { data } = await provider.post('/webauthn/authenticate/start/primary', asked);
  const signed = key.get(JSON.parse(data['public_key_credential_request_options']) as Fields);
  return provider.post('/webauthn/authenticate', { public_key_credential: signed, session_duration_minutes: 60 });
}
