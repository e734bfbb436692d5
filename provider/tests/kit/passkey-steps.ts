import type { Fields, Provider } from './harness.ts';
import { SoftwareAuthenticator } from './webauthn-authenticator.ts';

export const PASSKEY = { domain: 'localhost', return_passkey_credential_options: true };

let people = 0;

/** The steps of registering a passkey and of logging in with it. */
export function passkeySteps(provider: () => Provider) {
  const signIn = async (): Promise<Fields & { readonly session_token: string }> => {
    people += 1;
    return (await provider().signIn(`passkey${people}@example.com`)) as Fields & { session_token: string };
  };
  const creation = async (session: string, fields: Fields = {}): Promise<Fields> => {
    const reply = await provider().post('/webauthn/register/start', { ...PASSKEY, ...fields }, { session });
    return JSON.parse(reply.data['public_key_credential_creation_options']) as Fields;
  };
  const register = (public_key_credential: string, session: string, fields: Fields = {}) =>
    provider().post('/webauthn/register', { public_key_credential, ...fields }, { session });
  const request = async (fields: Fields = {}, session?: string): Promise<Fields> => {
    const step = session === undefined ? 'primary' : 'secondary';
    const extras = session === undefined ? {} : { session };
    const reply = await provider().post(`/webauthn/authenticate/start/${step}`, { ...PASSKEY, ...fields }, extras);
    return JSON.parse(reply.data['public_key_credential_request_options']) as Fields;
  };
  const authenticate = (public_key_credential: string, session?: string) =>
    provider().post(
      '/webauthn/authenticate',
      { public_key_credential, session_duration_minutes: 30 },
      session === undefined ? {} : { session },
    );
  /** Somebody with a passkey. */
  const enrolled = async (): Promise<{ user: Fields; key: SoftwareAuthenticator; session: string; id: string }> => {
    const user = await signIn();
    const key = new SoftwareAuthenticator();
    const { data } = await register(key.create(await creation(user.session_token)), user.session_token);
    return { user, key, session: String(data['session_token']), id: String(data['webauthn_registration_id']) };
  };
  return { signIn, creation, register, request, authenticate, enrolled };
}
