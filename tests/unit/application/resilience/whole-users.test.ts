import { describe, expect, it } from 'vitest';
import { api, type Endpoint } from '#application/api/index.ts';
import { rawReply } from '#kit/transport/fake-reply.ts';
import { TestWorld, type OpenClient } from '../world.ts';
import { oneOf } from '../../../soak.ts';
import type { PublicCall } from './public-call.ts';
import { CALLS } from './surface.ts';

const ENDPOINTS: readonly Endpoint[] = Object.values(api).flatMap((area) => Object.values(area) as Endpoint[]);
/** Called by the client itself, or by no client for consumers. */
const NOT_CALLED: readonly Endpoint[] = [
  api.projects.bootstrap,
  api.events.log,
  api.b2b.searchMember,
  api.oauth.oneTapSubmit,
  api.passwords.resetByEmailCheck,
  api.idp.deviceStart,
  api.idp.deviceSubmit,
];

const USER = { user_id: 'user-test-1', roles: [], name: { first_name: 'Part' }, emails: [] };
const WHOLE = { ...USER, roles: ['editor'], name: { first_name: 'Whole' } };
const OPTIONS = { challenge: 'AAAA', rp: { id: 'localhost', name: 'n' }, rpId: 'localhost', allowCredentials: [] };
const CREATION = {
  user: { id: 'AAAA', name: 'n', displayName: 'd' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
};

/** The fewest fields that the client itself reads, whatever is called. */
const LEAST = {
  user_id: 'user-test-1',
  google_client_id: 'g',
  oauth_callback_id: 'c',
  method_id: 'm',
  redirect_url: 'https://a.example/',
  public_key_credential_creation_options: JSON.stringify({ ...OPTIONS, ...CREATION }),
  public_key_credential_request_options: JSON.stringify(OPTIONS),
};
const SESSION = { session_id: 'session-test-2', expires_at: '2026-02-01T00:00:00Z' };

const signsIn = ({ to }: PublicCall): boolean => to.some(({ reply }) => 'session' in reply);
const CHANGES = /^(?:user\.(?:update|delete(?!Account)\w+)|totps\.create|webauthn\.update)$/u;
const carriesUser = (call: PublicCall): boolean => signsIn(call) || CHANGES.test(call.method);

async function open(signedIn: boolean): Promise<OpenClient & { readonly world: TestWorld }> {
  const world = new TestWorld();
  const opened = world.open({ telemetry: false });
  await opened.tab.webauthn.create(LEAST.public_key_credential_creation_options);
  if (signedIn) await world.signIn(opened.client);
  return { ...opened, world };
}

/** What the call gives when every endpoint answers so; before it, somebody may have signed in. */
async function called(call: PublicCall, data: object, signedIn = true) {
  const { client, world } = await open(signedIn);
  const text = JSON.stringify({ data });
  for (const endpoint of ENDPOINTS) world.transport.answer(endpoint, () => rawReply(200, text));
  const value: unknown = await call.call(client, call.good as never);
  const state = { user: client.user.getSync(), session: client.session.getSync() };
  client.destroy();
  return { value, ...state };
}

describe('the calls of the wire', () => {
  it('are all made by some public method, but for those that the client makes by itself', () => {
    const reached = new Set([...CALLS.flatMap(({ to }) => to), ...NOT_CALLED].map(({ name }) => name));
    expect(ENDPOINTS.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
  });

  it('that sign in are eighteen, and ten change the user', () => {
    expect(CALLS.filter(signsIn).map(({ method }) => method)).toEqual([
      'session.authenticate',
      'session.exchangeAccessToken',
      'session.attest',
      'magicLinks.authenticate',
      'otps.authenticate',
      'oauth.authenticate',
      'passwords.create',
      'passwords.authenticate',
      'passwords.resetByEmail',
      'passwords.resetByExistingPassword',
      'passwords.resetBySession',
      'totps.authenticate',
      'totps.recover',
      'profile.complete',
      'webauthn.register',
      'webauthn.authenticate',
      'cryptoWallets.authenticate',
      'impersonation.authenticate',
    ]);
    expect(CALLS.filter(carriesUser)).toHaveLength(28);
  });
});

describe.each(oneOf(2, [true, false]))('a reply to a client with a session: %s', (signedIn) => {
  const base = { ...LEAST, user: USER, session: SESSION, session_token: 't', session_jwt: 'a.b.c' };

  it.each(CALLS.filter(signsIn))(
    '$method takes over the whole user that it carries, and leaves it out',
    async (call) => {
      const data = { ...base, __user: { ...WHOLE, status_code: 200, request_id: 'r' } };
      const { value, user } = await called(call, data, signedIn);
      expect(value).toEqual(base);
      expect(user).toEqual(WHOLE);
    },
  );

  it.each(oneOf(2, CALLS.filter(signsIn)))(
    '$method takes the user of the reply where no whole one is',
    async (call) => {
      for (const __user of [undefined, null, 7, 'text', [], {}, { user_id: '' }, { user_id: 7 }]) {
        const { value, user } = await called(call, { ...base, __user }, signedIn);
        expect([value, user]).toEqual([base, USER]);
      }
    },
  );

  it.each(oneOf(2, CALLS.filter(signsIn), 1))(
    '$method needs a session and a user that are some, and nothing else',
    async (call) => {
      const least = { ...LEAST, session: SESSION };
      const withWhole = await called(call, { ...least, __user: WHOLE }, signedIn);
      expect([withWhole.value, withWhole.user, withWhole.session]).toEqual([least, WHOLE, SESSION]);
      const odd = { webauthn_registration_id: 7, totp_id: null, method_id: [], provider_values: 'x', email_id: {} };
      const withUser = await called(call, { ...least, user: { user_id: 'u' }, ...odd }, signedIn);
      expect(withUser.value).toEqual({ ...least, user: { user_id: 'u' }, ...odd });
      await expect(called(call, least, signedIn)).rejects.toMatchObject({ kind: 'unreachable' });
      await expect(called(call, { ...LEAST, user: USER }, signedIn)).rejects.toMatchObject({ kind: 'unreachable' });
    },
  );
});

describe('a reply to who is signed in', () => {
  const changing = CALLS.filter(({ method }) => CHANGES.test(method));

  it.each(changing)('$method takes over the whole user that it carries, and leaves it out', async (call) => {
    const { value, user } = await called(call, { ...LEAST, __user: { ...WHOLE, status_code: 200, request_id: 'r' } });
    expect([value, user?.name, user?.roles]).toEqual([LEAST, { first_name: 'Whole' }, ['editor']]);
  });

  const others = CALLS.filter((call) => !carriesUser(call) && !/^(?:rbac|user\.get$|oauth\.google)/u.test(call.method));

  it.each(oneOf(3, others))('$method is handed on as it came, whatever it lacks or has', async (call) => {
    expect((await called(call, { ...LEAST, extra: [1] })).value).toEqual({ ...LEAST, extra: [1] });
  });

  // The client reads the challenge of a passkey, and the id of a second factor's code.
  it.each(
    oneOf(3, [...others, ...changing], 1).filter(
      ({ method }) => !/^(?:webauthn\.|mfa\.(?:sendCode|addPhone)$)/u.test(method),
    ),
  )('$method is no failure for fields that are of another kind than its type says', async (call) => {
    const odd = { method_id: 7, challenge: null, totps: 'none', totp_id: [], secret: 7, user_id: 7, userType: {} };
    const more = { connected_apps: 'x', valid_password: 'yes', client: 'c', redirect_uri: 7, user: 'ada' };
    expect((await called(call, { ...odd, ...more })).value).toEqual({ ...odd, ...more });
  });
});
