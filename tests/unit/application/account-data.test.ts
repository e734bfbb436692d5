import { describe, expect, it, vi } from 'vitest';
import { users } from '#application/api/index.ts';
import { accountWidget } from '#application/widget/widgets.ts';
import type { AccountChange, AccountPage, AccountState } from '#domain/account/account.ts';
import { loginWays } from '#domain/account/proof-ways.ts';
import type { User } from '#domain/users/user.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { openWidget } from './open-widget.ts';
import { TestWorld } from './world.ts';

const ADA = 'ada@example.com';
const HOUR = { session_duration_minutes: 60 };
const PASSWORD = 'correct horse battery staple';
const ELEVEN_MINUTES = 660_000;

/** The account page of somebody who has just signed in, or signed up with a password. */
async function open({ withPassword = false, withApp = false } = {}) {
  const world = new TestWorld();
  const { client } = world.open();
  if (withPassword) await client.passwords.create({ email: ADA, password: PASSWORD, ...HOUR });
  else await world.signIn(client);
  const secret = withApp ? (await client.totps.create({ expiration_minutes: 5 })).secret : '';
  const code = () => world.server.totpCode(secret);
  if (withApp) {
    await client.totps.authenticate({ totp_code: code(), ...HOUR });
    // In the session in which it was added, the app proves no deletion.
    await client.session.revoke();
    await world.clock.advance(30_000);
    await world.signIn(client);
    await client.totps.authenticate({ totp_code: code(), ...HOUR });
  }
  const opened = openWidget((services, options) => accountWidget(services, options), {}, { world });
  const account = (): AccountState => opened.store.getState().account;
  const page = (): AccountPage => account() as AccountPage;
  const until = (done: () => boolean) =>
    vi.waitFor(
      async () => {
        await world.settle();
        expect(done()).toBe(true);
      },
      { interval: 1 },
    );
  const rests = () => until(() => !['arriving', 'working', 'checking'].includes(account().at));
  await rests();
  const ask = async (change: AccountChange) => {
    opened.store.send({ type: 'account/asked', change });
    await rests();
  };
  const prove = async (given: string) => {
    opened.store.send({ type: 'account/proven', code: given });
    await rests();
  };
  return { ...opened, world, client, account, page, until, ask, prove, code };
}

const DELETED = { at: 'signedOut', deleted: true };

describe('The data on the account page', () => {
  it('becomes a file of JSON, and the host is told nothing', async () => {
    const { ask, page, heard } = await open();
    await ask({ kind: 'exportData' });
    const { task } = page();
    const data = JSON.parse(task?.kind === 'exported' ? task.text : '{}') as { readonly user?: User };
    expect(data.user?.emails.map(({ email }) => email)).toEqual([ADA]);
    expect(heard).toEqual([]);
  });

  it('goes with the account: the page and the host are told, and nobody is signed in', async () => {
    const { ask, account, client, heard, world } = await open();
    const { client: other } = world.open();
    await ask({ kind: 'deleteUser' });
    await world.settle();
    expect(account()).toEqual(DELETED);
    expect(heard).toEqual([{ type: 'ACCOUNT_CHANGED', data: { change: 'accountDeleted' } }]);
    expect([client.user.getSync(), other.user.getSync(), client.session.getSync()]).toEqual([null, null, null]);
  });

  it('stays when the server cannot be reached, or does not allow the deletion', async () => {
    const { ask, page, world, errors } = await open();
    world.transport.answer(users.delete, () => errorReply(404, 'route_not_found'));
    await ask({ kind: 'deleteUser' });
    expect(page()).toMatchObject({ at: 'resting', error: { error_type: 'route_not_found' } });
    expect(page().user.emails).toHaveLength(1);
    expect(errors).toHaveLength(1);
  });
});

describe('A deletion whose last login is more than ten minutes old', () => {
  it('sends a code to the address, and is made after the right one', async () => {
    const { ask, prove, account, page, world, until, errors } = await open();
    await world.clock.advance(ELEVEN_MINUTES);
    const before = world.server.inbox.length;
    await ask({ kind: 'deleteUser' });
    expect(page()).toMatchObject({ at: 'proving', way: 'email', isLogin: true, error: null });
    expect(errors).toEqual([]);
    await until(() => world.server.inbox.length > before);
    await prove('000000');
    expect(page()).toMatchObject({ at: 'proving', error: { error_type: 'otp_code_not_found' } });
    await prove(world.server.codeFor(ADA) ?? '');
    await until(() => account().at === 'signedOut');
    expect(account()).toEqual(DELETED);
  });

  it('takes the password of somebody who has one, which the state never holds', async () => {
    const { ask, prove, account, page, world, store, until } = await open({ withPassword: true });
    await world.clock.advance(ELEVEN_MINUTES);
    await ask({ kind: 'deleteUser' });
    expect(page()).toMatchObject({ at: 'proving', way: 'password' });
    await prove('wrong');
    expect(page().at).toBe('proving');
    expect(page().error).not.toBe(null);
    store.send({ type: 'account/proven', code: PASSWORD });
    expect(JSON.stringify(store.getState())).not.toContain(PASSWORD);
    await until(() => account().at === 'signedOut');
    expect(account()).toEqual(DELETED);
  });

  it('asks for the second factor of somebody who has one, although the session proved it before', async () => {
    const { ask, prove, account, page, world, code, until } = await open({ withApp: true });
    await world.clock.advance(ELEVEN_MINUTES);
    await ask({ kind: 'deleteUser' });
    expect(page()).toMatchObject({ at: 'proving', way: 'totp' });
    expect(page()).not.toHaveProperty('isLogin');
    await prove(code());
    await until(() => account().at === 'signedOut');
    expect(account()).toEqual(DELETED);
  });

  it('is not made when the person closes the question', async () => {
    const { ask, page, world, store } = await open();
    await world.clock.advance(ELEVEN_MINUTES);
    await ask({ kind: 'deleteUser' });
    store.send({ type: 'account/closed' });
    await world.settle();
    expect(page()).toMatchObject({ at: 'resting', error: null });
    expect(page().user.emails).toHaveLength(1);
  });
});

describe('The ways to log in again on the account page', () => {
  const NOBODY = { user_id: 'user-1', emails: [], phone_numbers: [], webauthn_registrations: [], password: null };
  const address = (verified: boolean) => ({ emails: [{ email_id: 'email-1', email: ADA, verified }] });
  const password = { password: { password_id: 'password-1', requires_reset: false } };
  it.each<readonly [string, object, readonly string[]]>([
    [
      'are the password and a code, where the address is verified',
      { ...address(true), ...password },
      ['password', 'email'],
    ],
    ['are no code to an address that is not verified', { ...address(false), ...password }, ['password']],
    ['are a passkey first', { ...address(true), webauthn_registrations: [{}] }, ['webauthn', 'email']],
    ['are a text', { phone_numbers: [{ phone_number: '+14155552671', verified: true }] }, ['text']],
    ['are none with a social login alone', { providers: [{}] }, []],
  ])('%s', (_, change, ways) => {
    expect(loginWays({ ...NOBODY, ...change } as unknown as User)).toEqual(ways);
  });
});
