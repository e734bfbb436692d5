import { oauth, sessions, totps, users } from '#application/api/index.ts';
import { isRecord } from '#domain/shape.ts';
import { at, HOUR, textOf, type Script, type Wire } from '../wire.ts';
import { CHALLENGE, EVIL, MINUTE_MS, OTHER_VERIFIER, signIn, VERIFIER, withTotp } from './people.ts';

/** Goes to the social provider and back; keeps where that led, or what was refused. */
async function goThere(wire: Wire, who: string, query: Readonly<Record<string, string>> = {}, provider = 'google') {
  const start = new URL(`http://localhost:4100/v1/public/oauth/${provider}/start`);
  start.search = new URLSearchParams({ public_token: wire.world.publicToken, ...query }).toString();
  return comeBack(wire, who, provider, start.href);
}

/** The same by a form, which attaches the account to the user of the session. */
async function attach(wire: Wire, who: string, session: string, extras: Readonly<Record<string, string>> = {}) {
  const { oauth_attach_token } = await wire.call(oauth.attach, { provider: 'google' }, { session });
  const fields = { public_token: wire.world.publicToken, oauth_attach_token: String(oauth_attach_token), ...extras };
  return comeBack(wire, who, 'google', { url: 'http://localhost:4100/v1/public/oauth/google/start', fields });
}

/** The same by an address, twice, as the reference client begins it. */
async function attachByAddress(wire: Wire, session: string, extras: Readonly<Record<string, string>>) {
  const { oauth_attach_token } = await wire.call(oauth.attach, { provider: 'google' }, { session });
  await goThere(wire, 'address', { oauth_attach_token: String(oauth_attach_token), ...extras });
  const { login_redirect_url: _, ...rest } = extras;
  await goThere(wire, 'address', { oauth_attach_token: String(oauth_attach_token), ...rest });
}

async function comeBack(wire: Wire, who: string, provider: string, start: Parameters<Wire['world']['comeBack']>[0]) {
  wire.world.passTime(1000);
  try {
    const back = await wire.world.comeBack(start, wire.address(who));
    wire.note(`back from ${provider}`, 303, { redirect_url: back.href });
    return back.searchParams.get('token') ?? '';
  } catch (error) {
    if (!isRecord(error)) throw error;
    wire.note(`back from ${provider}`, 400, { error_type: error['error_type'] });
    return '';
  }
}

export const OAUTH: readonly Script[] = [
  {
    title: 'social logins sign up, log in, link a verified address and are good once',
    run: async (wire) => {
      const token = await goThere(wire, 'ada');
      await wire.call(oauth.authenticate, { token, ...HOUR });
      await wire.call(oauth.authenticate, { token, ...HOUR });
      await wire.call(oauth.authenticate, { token: await goThere(wire, 'ada'), ...HOUR });
      const session = await signIn(wire, 'grace');
      const linked = await wire.call(
        oauth.authenticate,
        { token: await goThere(wire, 'grace', { custom_scopes: 'calendar' }), ...HOUR },
        { session },
      );
      const id = at(linked, 'user.providers.0.oauth_user_registration_id');
      await wire.call(users.deleteOAuthRegistration, null, {
        session: textOf(linked, 'session_token'),
        params: { id },
      });
    },
  },
  {
    title: 'social logins are held to their proof key, their time and registered pages',
    run: async (wire) => {
      await goThere(wire, 'ada', { login_redirect_url: EVIL });
      await goThere(wire, 'ada', { signup_redirect_url: EVIL });
      await goThere(wire, 'ada', { code_challenge: 'short' });
      await goThere(wire, 'ada', {}, 'nobody');
      const token = await goThere(wire, 'ada', { code_challenge: CHALLENGE });
      await wire.call(oauth.authenticate, { token, ...HOUR });
      await wire.call(oauth.authenticate, { token, code_verifier: OTHER_VERIFIER, ...HOUR });
      await wire.call(oauth.authenticate, { token, code_verifier: VERIFIER, session_duration_minutes: 1 });
      await wire.call(oauth.authenticate, { token, code_verifier: VERIFIER, ...HOUR });
      const bare = await goThere(wire, 'ada');
      await wire.call(oauth.authenticate, { token: bare, code_verifier: VERIFIER, ...HOUR });
      wire.world.passTime(5 * MINUTE_MS);
      await wire.call(oauth.authenticate, { token: bare, ...HOUR });
    },
  },
  {
    title: 'an account is attached in the session that asked for it, by whoever began',
    run: async (wire) => {
      const code_challenge = CHALLENGE;
      const end = { code_verifier: VERIFIER, ...HOUR };
      const session = await signIn(wire, 'grace');
      const stranger = await signIn(wire, 'mallory');
      await wire.call(oauth.attach, { provider: 'google' });
      await wire.call(oauth.attach, { provider: 'nobody' }, { session });
      await wire.call(oauth.attach, {}, { session });
      await goThere(wire, 'work', { oauth_attach_token: 'x', code_challenge });
      await goThere(wire, 'work', { oauth_attach_token: 'x' });
      await goThere(wire, 'work', { oauth_attach_token: '', code_challenge });
      await attachByAddress(wire, session, { code_challenge });
      await attachByAddress(wire, session, { code_challenge, login_redirect_url: EVIL });
      await attach(wire, 'work', session);
      await attach(wire, 'work', session, { code_challenge: 'short' });
      const token = await attach(wire, 'work', session, { code_challenge });
      await wire.call(oauth.authenticate, { token, ...HOUR }, { session });
      await wire.call(oauth.authenticate, { token, ...end });
      await wire.call(oauth.authenticate, { token, ...end }, { session: stranger });
      await wire.call(oauth.authenticate, { token, ...end }, { session: await signIn(wire, 'grace') });
      const attached = await wire.call(oauth.authenticate, { token, ...end }, { session });
      const own = textOf(attached, 'session_token');
      await wire.call(oauth.authenticate, { token, ...end }, { session: own });
      const taken = await attach(wire, 'work', stranger, { code_challenge });
      await wire.call(oauth.authenticate, { token: taken, ...end }, { session: stranger });
      await wire.call(oauth.authenticate, { token: await goThere(wire, 'work'), ...HOUR });
    },
  },
  {
    title: 'an account that is linked by its address waits for the second factor of its session',
    run: async (wire) => {
      const { session, recoveryCode } = await withTotp(wire, 'grace');
      const login = async (own?: string) =>
        textOf(
          await wire.call(oauth.authenticate, { token: await goThere(wire, 'grace'), ...HOUR }, { session: own }),
          'session_token',
        );
      const first = await login();
      await wire.call(users.me, null, { session });
      await wire.call(oauth.attach, { provider: 'google' }, { session: first });
      const second = await login();
      await wire.call(sessions.revoke, {}, { session: first });
      await wire.call(totps.recover, { recovery_code: recoveryCode, ...HOUR }, { session: second });
      await login();
      await login(session);
    },
  },
  {
    title: 'projects can require proof keys of social logins',
    pkceRequired: true,
    run: async (wire) => {
      await goThere(wire, 'ada');
      await goThere(wire, 'ada', { code_challenge: CHALLENGE });
    },
  },
  {
    title: 'One Tap logs in by an ID token and its callback, once',
    run: async (wire) => {
      const { publicToken: public_token } = wire.world;
      const started = await wire.call(oauth.oneTapStart, { public_token });
      const oauth_callback_id = textOf(started, 'oauth_callback_id');
      const id_token = await wire.world.googleIdToken(wire.address('ada'), textOf(started, 'google_client_id'));
      const submit = async (extras: object = {}) =>
        wire.call(oauth.oneTapSubmit, { public_token, id_token, oauth_callback_id, ...extras });
      await submit({ id_token: 'nonsense' });
      await submit({ login_redirect_url: EVIL });
      await submit({ code_challenge: 'short' });
      const back = textOf(await submit(), 'redirect_url');
      await submit();
      const token = new URL(back).searchParams.get('token') ?? '';
      await wire.call(oauth.authenticate, { token, ...HOUR });
    },
  },
];
