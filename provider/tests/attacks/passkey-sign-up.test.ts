import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browser } from '../kit/oauth-harness.ts';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { beginSignUp, enterBy, SIGN_UPS } from '../kit/passkey-sign-up.ts';
import { CHALLENGED } from '../kit/second-step.ts';
import { fromServer, isAlive, makeTarget, MINUTES, passkey, uniqueEmail } from './attacker.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'correct horse battery staple';
const ROUNDS = SOAK ? 20 : 1;

/** A stranger signs up with the address of somebody else and a passkey of their own, before its owner comes. */
describe.each(EITHER_DATABASE)('an address with which a stranger’s passkey signed up, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, SIGN_UPS);
  });
  afterAll(() => provider.close());

  const tokenIn = async (email: string): Promise<string> =>
    new URL((await provider.newest(email))?.link ?? 'http://none').searchParams.get('token') ?? '';

  async function squat(email: string) {
    const { key, finish } = await beginSignUp(provider, email);
    const { data } = await finish();
    return { key, session: String(data['session_token']), user_id: String(data['user_id']) };
  }

  /** What the owner of the address does. Each resolves with the reply, with the owner’s user. */
  const COMES: Readonly<Record<string, (email: string) => Promise<Fields>>> = {
    'a code': (email) => provider.signIn(email),
    async 'a link'(email) {
      const token = await provider.sendLink(email);
      return (await provider.post('/magic_links/authenticate', { token, ...MINUTES })).data;
    },
    async 'a password'(email) {
      return (await provider.post('/passwords', { email, password: PASSWORD, ...MINUTES })).data;
    },
    async 'a passkey'(email) {
      return (await (await beginSignUp(provider, email)).finish()).data;
    },
    async 'a social login'(email) {
      const token = await browser(provider).token('google', { email, verified: 'yes' });
      return (await provider.post('/oauth/authenticate', { token, ...MINUTES, ...CHALLENGED })).data;
    },
    async 'the app’s own server'(email) {
      return (await fromServer(provider, '/users', { email })).body;
    },
  };

  it.each(oneOf(2, Object.keys(COMES)))(
    'is free for its owner, who comes by %s, and the passkey opens no door there',
    async (name) => {
      const email = uniqueEmail('owner');
      const stranger = await squat(email);
      const owner = await COMES[name]!(email);
      expect(owner['user_id']).toEqual(expect.any(String));
      expect(owner['user_id']).not.toBe(stranger.user_id);
      const entered = await enterBy(provider, stranger.key);
      expect(entered.data['user_id']).toBe(stranger.user_id);
      expect(entered.data['user']).toMatchObject({ emails: [], providers: [] });
      if (name === 'a passkey' || name === 'a password') return;
      // What its owner has proven, the stranger cannot add, even with the code of a message.
      const { session_token: session } = entered.data;
      const sent = await provider.post('/otps/email/send/secondary', { email }, { session: String(session) });
      expect(sent.body['error_type']).toBe('duplicate_email');
    },
  );

  soakIt('is the owner’s alone when they are lured into the stranger’s user, read it there, and prove it', async () => {
    const [email, own] = [uniqueEmail('owner'), uniqueEmail('stranger')];
    const stranger = await squat(email);
    const { session } = stranger;
    const sent = await provider.post('/otps/email/send/secondary', { email: own }, { session });
    const code = { token: (await provider.newest(own))?.code, method_id: sent.data['method_id'], ...MINUTES };
    const added = await provider.post('/otps/authenticate', code, { session });
    const planted = passkey(provider);
    const last = await (await planted.begin(String(added.data['session_token'])))();
    const opened = await provider.post('/magic_links/authenticate', {
      token: await provider.sendLink(own),
      ...MINUTES,
    });
    const lured = { session: String(opened.data['session_token']) };
    expect(opened.data['user']).toMatchObject({ user_id: stranger.user_id, unproven_email: email });

    await provider.post('/magic_links/email/send/secondary', { email }, lured);
    const token = await tokenIn(email);
    const proven = await provider.post('/magic_links/authenticate', { token, ...MINUTES }, lured);
    expect([proven.status, proven.data['user_id']]).toEqual([200, stranger.user_id]);
    const { emails, webauthn_registrations, unproven_email } = proven.data['user'];
    expect({ emails, webauthn_registrations, unproven_email }).toMatchObject({
      emails: [{ email, verified: true }],
      webauthn_registrations: [],
      unproven_email: undefined,
    });
    expect((await enterBy(provider, stranger.key)).status).toBe(404);
    expect(await planted.enter()).toBeNull();
    expect(await isAlive(provider, String(last.data['session_token']))).toBe(false);
  });

  soakIt('becomes the user’s when they prove it in the session of the sign-up, and the passkey stays', async () => {
    const email = uniqueEmail('self');
    const { key, session, user_id } = await squat(email);
    const sent = await provider.post('/otps/email/send/secondary', { email: email.toUpperCase() }, { session });
    const code = {
      token: (await provider.newest(email.toUpperCase()))?.code,
      method_id: sent.data['method_id'],
      ...MINUTES,
    };
    const proven = await provider.post('/otps/authenticate', code, { session });
    expect([proven.status, proven.data['user_id']]).toEqual([200, user_id]);
    expect(proven.data['user'].emails).toMatchObject([{ verified: true }]);
    expect('unproven_email' in proven.data['user']).toBe(false);
    expect((await enterBy(provider, key)).data['user_id']).toBe(user_id);
    expect((await provider.signIn(email))['user_id']).toBe(user_id);
  });

  soakIt('is the owner’s alone, whatever the stranger’s sign-up and additions do at the same moment', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const email = uniqueEmail('raced');
      const early = await squat(email);
      const { key, finish } = await beginSignUp(provider, email);
      const added = await provider.post('/otps/email/send/secondary', { email }, { session: early.session });
      const { method_id, code } = await provider.sendCode(email);
      const [owner, late, guess] = await Promise.all([
        provider.post('/otps/authenticate', { token: code, method_id, ...MINUTES }),
        finish(),
        provider.post(
          '/otps/authenticate',
          { token: '000000', method_id: added.data['method_id'], ...MINUTES },
          { session: early.session },
        ),
      ]);
      expect([owner.status, late.status, guess.status]).toEqual([200, 200, 404]);
      const { user_id } = owner.data;
      expect(owner.data['user']).toMatchObject({ emails: [{ email, verified: true }], webauthn_registrations: [] });
      for (const each of [early.key, key]) {
        const entered = await enterBy(provider, each);
        expect([entered.status, entered.data['user'].emails]).toEqual([200, []]);
        expect(entered.data['user_id']).not.toBe(user_id);
      }
      // The code was sent to the owner; with it the stranger is too late as well.
      const again = await provider.post('/otps/email/send/secondary', { email }, { session: early.session });
      expect(again.body['error_type']).toBe('duplicate_email');
    }
  });
});
