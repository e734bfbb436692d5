import { describe, expect, it } from 'vitest';
import { magicLinks, passwords } from '#application/api/index.ts';
import { loginWidget } from '#application/widget/widgets.ts';
import { openWidget } from '../open-widget.ts';
import { ADA, ALONE, GOOD, worldWith } from './open-passwords.ts';

const NEW = 'Another horse 2';

/** The page that a mail led to, in the browser that asked for the mail. */
async function arrive(kind: 'login' | 'reset', pkce = false, token?: string) {
  const world = await worldWith('password');
  if (pkce) world.server.project['pkce_required_for_password_resets'] = true;
  const { client } = world.open();
  await client.passwords.resetByEmailStart({ email: ADA });
  client.destroy();
  const link = new URL(world.server.inbox[0]?.links?.[kind === 'login' ? 'login' : 'reset_password'] ?? '');
  const used = token ?? link.searchParams.get('token') ?? '';
  const open = () =>
    openWidget((services, options) => loginWidget(services, { ...options, token: used }, kind), ALONE, { world });
  return { world, open };
}

const submit = { type: 'password/resetSubmitted', password: NEW } as const;

describe.each([
  ['without', false],
  ['with', true],
])('the page of a reset mail, %s proof keys', (_, pkce) => {
  it('sets the password, once for ten presses, and logs in', async () => {
    const { world, open } = await arrive('reset', pkce);
    const { store, screen, heard } = open();
    expect(screen()).toEqual({ name: 'PasswordResetForm', tokenType: 'reset' });
    for (let press = 0; press < 10; press += 1) store.send(submit);
    await world.settle();
    expect(screen()).toEqual({ name: 'PasswordConfirmation' });
    expect(heard.map(({ type }) => type)).toEqual(['PASSWORD_RESET_BY_EMAIL', 'AUTHENTICATE_FLOW_COMPLETE']);
    expect(world.transport.requestsTo(passwords.resetByEmail)).toHaveLength(1);
    const { client } = world.open();
    await client.passwords.authenticate({ email: ADA, password: NEW, session_duration_minutes: 30 });
    await expect(
      client.passwords.authenticate({ email: ADA, password: GOOD, session_duration_minutes: 30 }),
    ).rejects.toMatchObject({ error_type: 'unauthorized_credentials' });
  });

  it('logs in without a password by the link of the reset, once for ten presses', async () => {
    const { world, open } = await arrive('reset', pkce);
    const { store, screen, heard, sessions } = open();
    for (let press = 0; press < 10; press += 1) store.send({ type: 'resetLink/opened' });
    await world.settle();
    expect(screen()).toEqual({ name: 'AuthenticateFlowComplete' });
    expect(heard.map(({ type }) => type)).toEqual(['AUTHENTICATE_FLOW_COMPLETE']);
    expect(sessions.mayBeSignedIn()).toBe(true);
    expect(world.transport.requestsTo(magicLinks.authenticate)).toHaveLength(1);
    expect(world.transport.requestsTo(passwords.resetByEmail)).toHaveLength(0);
  });

  it('logs in at once by the link without a password', async () => {
    const { world, open } = await arrive('login', pkce);
    const { store, screen, heard, sessions } = open();
    expect(store.getState().pending).toBe('resetLink/opened');
    await world.settle();
    expect(screen()).toEqual({ name: 'AuthenticateFlowComplete' });
    expect(heard.map(({ type }) => type)).toEqual(['AUTHENTICATE_FLOW_COMPLETE']);
    expect(sessions.mayBeSignedIn()).toBe(true);
  });
});

describe('the page of a reset email', () => {
  it('asks about the password without an address, for none is known', async () => {
    const { world, open } = await arrive('reset');
    const { store } = open();
    store.send({ type: 'password/edited', check: 1, email: '', password: NEW });
    await world.clock.advance(500);
    expect(world.transport.requestsTo(passwords.strengthCheck)[0]?.body).toEqual({ password: NEW });
  });

  it('stays, with the error, for a spent link, and leads to Main', async () => {
    const { world, open } = await arrive('reset', false, 'spent');
    const { store, screen } = open();
    store.send(submit);
    await world.settle();
    expect(store.getState()).toMatchObject({ pending: null, error: { error_type: 'unable_to_auth_magic_link' } });
    store.send({ type: 'back' });
    expect(screen()).toEqual({ name: 'Main', email: '' });
  });

  it('offers another email when the link is spent at the login without a password', async () => {
    const { world, open } = await arrive('reset');
    const { store, screen } = open();
    await world.settle();
    const [link] = world.server.inbox;
    const { client } = world.open();
    const token = new URL(link?.links?.reset_password ?? '').searchParams.get('token') ?? '';
    await client.magicLinks.authenticate(token, { session_duration_minutes: 30 });
    store.send({ type: 'resetLink/opened' });
    await world.settle();
    expect(screen()).toMatchObject({ name: 'PasswordResetForm', tokenType: 'spent' });
  });

  it('shows that a spent login link did not work, and leads to Main', async () => {
    const { world, open } = await arrive('login', false, 'spent');
    const { store, screen, errors } = open();
    await world.settle();
    expect(screen().name).toBe('PasswordResetForm');
    expect(store.getState()).toMatchObject({ pending: null, error: { error_type: 'unable_to_auth_magic_link' } });
    expect(errors).toHaveLength(1);
    store.send({ type: 'back' });
    expect(screen().name).toBe('Main');
  });

  it('can use a login link again that no answer came to', async () => {
    const { world, open } = await arrive('login');
    const send = world.transport.send.bind(world.transport);
    let isDown = true;
    world.transport.send = (request) => (isDown ? Promise.reject(new TypeError('offline')) : send(request));
    const { store, screen } = open();
    await world.settle();
    expect(store.getState()).toMatchObject({ pending: null, error: { kind: 'unreachable' } });
    isDown = false;
    store.send({ type: 'resetLink/opened' });
    await world.settle();
    expect(screen().name).toBe('AuthenticateFlowComplete');
    expect(world.transport.requestsTo(magicLinks.authenticate)).toHaveLength(1);
  });
});
