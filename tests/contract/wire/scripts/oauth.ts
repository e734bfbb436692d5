import { oauth, users } from '../../../../src/application/api/index.ts';
import { isRecord } from '../../../../src/domain/shape.ts';
import { at, HOUR, textOf, type Script, type Wire } from '../wire.ts';
import { CHALLENGE, EVIL, MINUTE_MS, OTHER_VERIFIER, signIn, VERIFIER } from './people.ts';

/** Goes to the social provider and back; keeps where that led, or what was refused. */
async function goThere(wire: Wire, who: string, query: Readonly<Record<string, string>> = {}, provider = 'google') {
  const start = new URL(`http://localhost:4100/v1/public/oauth/${provider}/start`);
  start.search = new URLSearchParams({ public_token: wire.world.publicToken, ...query }).toString();
  wire.world.passTime(1000);
  try {
    const back = await wire.world.comeBack(start.href, wire.address(who));
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
