import { describe, expect, it } from 'vitest';
import { otps, passwords, sessions, webauthn, type Endpoint } from '#application/api/index.ts';
import { openLogin } from './open-widget.ts';
import { TestWorld } from './world.ts';

const NAME = 'stytch_intermediate_session_token';
const MINUTES = { session_duration_minutes: 60 };

/** What a server answers that asks for another factor. */
const INCOMPLETE = {
  status_code: 200,
  request_id: 'request-id-1',
  session: null,
  session_token: '',
  session_jwt: '',
  intermediate_session_token: 'ist',
};

/** The body of the first request to an endpoint. */
const bodyOf = ({ transport }: TestWorld, endpoint: Pick<Endpoint, 'name'>): unknown =>
  transport.requestsTo(endpoint)[0]?.body;

describe('an intermediate token', () => {
  it('takes the place of the session for ten minutes, and gives way to the next one', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open();
    await world.signIn(client);
    client.session.updateSession({ intermediate_session_token: 'ist' });
    expect([client.session.getSync(), client.session.getTokens(), tab.cookies.get(NAME)]).toEqual([null, null, 'ist']);
    await world.clock.advance(599_000);
    expect(tab.cookies.get(NAME)).toBe('ist');
    await world.clock.advance(2_000);
    expect(tab.cookies.get(NAME)).toBeNull();

    client.session.updateSession({ intermediate_session_token: 'another' });
    await world.signIn(client);
    expect([tab.cookies.get(NAME), client.session.getTokens() === null]).toEqual([null, false]);
  });

  it('must be a string', () => {
    const { client } = new TestWorld().open();
    expect(() => client.session.updateSession({ intermediate_session_token: 1 as never })).toThrow(
      'Invalid call to session.updateSession\nintermediate_session_token must be a string',
    );
  });

  it('of a reply without a session is stored, and ends the session that was there', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open();
    await world.signIn(client);
    world.transport.answer(passwords.authenticate, () => INCOMPLETE);
    const reply = await client.passwords.authenticate({ email: 'ada@example.com', password: 'pw', ...MINUTES });
    expect(reply).toEqual(INCOMPLETE);
    expect(tab.cookies.get(NAME)).toBe('ist');
    expect([client.session.getSync(), client.user.getSync(), client.session.getTokens()]).toEqual([null, null, null]);
  });

  it('goes out with the authenticate calls, and with no other, until a session comes', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open();
    world.transport.answer(passwords.authenticate, () => INCOMPLETE);
    await client.passwords.authenticate({ email: 'ada@example.com', password: 'pw', ...MINUTES });
    await world.signIn(client);
    expect(bodyOf(world, passwords.authenticate)).not.toHaveProperty('intermediate_session_token');
    expect(bodyOf(world, otps.emailLoginOrCreate)).not.toHaveProperty('intermediate_session_token');
    expect(bodyOf(world, otps.authenticate)).toMatchObject({ intermediate_session_token: 'ist' });
    expect(tab.cookies.get(NAME)).toBeNull();

    await client.session.authenticate(MINUTES);
    expect(bodyOf(world, sessions.authenticate)).toEqual(MINUTES);
  });

  it('goes out no more once its ten minutes are over', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    client.session.updateSession({ intermediate_session_token: 'ist' });
    await world.clock.advance(601_000);
    await world.signIn(client);
    expect(bodyOf(world, otps.authenticate)).not.toHaveProperty('intermediate_session_token');
  });

  it('asks for the passkeys of its user, whose second factor one of them is', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    client.session.updateSession({ intermediate_session_token: 'ist' });
    await client.webauthn.authenticate(MINUTES).catch(() => undefined);
    const asked = [webauthn.authenticateStartPrimary, webauthn.authenticateStartSecondary].map(
      (endpoint) => world.transport.requestsTo(endpoint).length,
    );
    expect(asked).toEqual([0, 1]);
  });

  it('is not taken for a session: a reply that holds neither is refused', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open();
    const before = await world.signIn(client);
    const { intermediate_session_token: _, ...neither } = INCOMPLETE;
    world.transport.answer(passwords.authenticate, () => neither);
    const login = client.passwords.authenticate({ email: 'ada@example.com', password: 'pw', ...MINUTES });
    await expect(login).rejects.toMatchObject({ kind: 'unreachable', reason: 'invalid-response' });
    expect([client.session.getSync()?.session_id, tab.cookies.get(NAME)]).toEqual([before.session.session_id, null]);
  });

  it('of a widget’s login reaches the host, without the end of the flow', async () => {
    const config = { products: ['otp'], otpOptions: { methods: ['email'] } } as const;
    const { world, store, heard, ports } = openLogin(config);
    world.transport.answer(otps.authenticate, () => INCOMPLETE);
    store.send({ type: 'otp/requested', method: 'email', destination: 'ada@example.com' });
    await world.settle();
    store.send({ type: 'otp/codeEntered', code: '123456' });
    await world.settle();
    expect(heard.map(({ type }) => type)).toEqual(['OTP_LOGIN_OR_CREATE', 'OTP_AUTHENTICATE']);
    expect(heard[1]?.data).toEqual(INCOMPLETE);
    expect(ports.cookies.get(NAME)).toBe('ist');
  });
});
