import { expect } from 'vitest';
import { MINUTE, type Fields, type Provider, type ProviderResponse } from '../kit/harness.ts';
import { PASSKEY, passkeySteps } from '../kit/passkey-steps.ts';
import { enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { newestLink, press, tell } from '../notices/steps.ts';
import { MINUTES, secondAddress, uniqueEmail } from './attacker.ts';

const DAY = 24 * 60 * MINUTE;
const NONE = new URL('http://none');

/** The steps of an owner and a thief about a second factor that a link disputes. */
export function disputeSteps(target: () => Provider) {
  const { creation, register } = passkeySteps(target);

  /** A user of a month, with a session. */
  const owner = async () => {
    const email = uniqueEmail('owner');
    const { user_id } = await target().signIn(email);
    target().clock.time += 30 * DAY;
    const { session_token } = await target().signIn(email);
    await tell(target());
    return { email, user_id: String(user_id), session: String(session_token) };
  };
  const addPasskey = async (session: string) => {
    target().clock.time += MINUTE;
    const key = new SoftwareAuthenticator();
    const { status, data, body } = await register(key.create(await creation(session)), session);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return { key, session: String(data['session_token']), id: String(data['webauthn_registration_id']) };
  };
  const addAddress = async (session: string) => {
    target().clock.time += MINUTE;
    const way = secondAddress(target());
    const { data } = await (await way.begin(session))();
    const added = (data['user'].emails as readonly Fields[]).at(-1);
    return { email: String(added?.['email']), session: String(data['session_token']) };
  };
  const byPasskey = async (
    key: SoftwareAuthenticator,
    browser = new LoginBrowser(target()),
  ): Promise<ProviderResponse> => {
    const step = 'intermediate_session_token' in browser.fields ? 'secondary' : 'primary';
    const start = await browser.post(`/webauthn/authenticate/start/${step}`, PASSKEY);
    if (start.status !== 200) return start;
    const signed = key.get(JSON.parse(start.data['public_key_credential_request_options']) as Fields);
    return browser.post('/webauthn/authenticate', { public_key_credential: signed, ...MINUTES });
  };
  const byMail = async (email: string, browser = new LoginBrowser(target())) => ({
    browser,
    ...(await enterEmail(target(), browser, email)),
  });
  const byMailAndPasskey = async (email: string, key: SoftwareAuthenticator) =>
    byPasskey(key, (await byMail(email)).browser);
  const undo = async (email: string) => {
    const link = await newestLink(target(), email);
    expect(link?.pathname).toBe('/notices/undo');
    expect((await press(target(), link ?? NONE, 'undo')).status).toBe(200);
    await tell(target());
  };
  const finish = async (email: string): Promise<number> => {
    await tell(target());
    const link = await newestLink(target(), email);
    return link === null ? 0 : (await press(target(), link, 'finish')).status;
  };
  const passkeysOf = async (user_id: string) =>
    (
      await target()
        .services.db.selectFrom('webauthn_registrations')
        .select('webauthn_registration_id')
        .where('user_id', '=', user_id)
        .execute()
    ).map(({ webauthn_registration_id }) => webauthn_registration_id);
  const appsOf = async (user_id: string): Promise<number> =>
    (await target().services.db.selectFrom('totps').select('totp_id').where('user_id', '=', user_id).execute()).length;
  const recoveriesOf = async (user_id: string) =>
    target()
      .services.db.selectFrom('recoveries')
      .select(['state', 'started_at', 'available_at'])
      .where('user_id', '=', user_id)
      .orderBy('started_at')
      .execute();
  return {
    creation,
    register,
    owner,
    addPasskey,
    addAddress,
    byPasskey,
    byMail,
    byMailAndPasskey,
    undo,
    finish,
    passkeysOf,
    appsOf,
    recoveriesOf,
  };
}
