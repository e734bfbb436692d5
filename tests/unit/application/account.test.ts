import { describe, expect, it } from 'vitest';
import { ownSessions, sessions as sessionCalls, users } from '#application/api/index.ts';
import { CookieJar } from '#kit/ports/fake-cookies.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { StorageBus } from '#kit/ports/memory-storage.ts';
import { worldWithApp } from './mfa/mfa-world.ts';
import { TestWorld } from './world.ts';
import { open, withTotp } from './account-world.ts';
import { soakIt } from '../../soak-tests.ts';

const ADA = 'ada@example.com';

/** Signs in in another browser, which shares nothing with the world's. */
async function signInElsewhere(world: TestWorld) {
  const adapters = { storage: new StorageBus().tab(), cookies: new CookieJar(world.clock).tab() };
  const { client } = world.open({ adapters });
  await world.signIn(client);
  return client;
}

describe('The account page', () => {
  it('shows that there is no session, and the account as soon as there is one', async () => {
    const { account, client, world, until } = await open({ isSignedIn: false });
    expect(account()).toEqual({ at: 'signedOut' });
    await world.signIn(client);
    await until(() => account().at === 'resting');
  });

  it('leaves out what the server has no calls for', async () => {
    const world = new TestWorld();
    world.transport
      .answer(ownSessions.list, () => errorReply(404, 'route_not_found'))
      .answer(users.connectedApps, () => errorReply(404, 'route_not_found'));
    const { page, loaded, errors } = await open({ world });
    await loaded();
    expect([page().sessions, page().apps]).toEqual([{ status: 'absent' }, { status: 'absent' }]);
    expect(errors).toEqual([]);
  });

  it('shows why a list is missing, and loads it when asked again', async () => {
    const world = new TestWorld();
    world.transport.answer(users.connectedApps, () => errorReply(503, 'service_unavailable'));
    const { page, loaded, store, until } = await open({ world });
    await loaded();
    expect(page().apps).toMatchObject({ status: 'failed', error: { error_type: 'service_unavailable' } });
    world.transport.answer(users.connectedApps, () => ({ connected_apps: [] }));
    store.send({ type: 'account/retried' });
    await until(() => page().apps.status === 'known');
  });

  it('adds an address with a passcode, and notifies the host', async () => {
    const { ask, page, heard, world } = await open();
    await ask({ kind: 'sendCode', method: 'email', destination: 'second@example.com' });
    const { task } = page();
    if (task?.kind !== 'enterCode') throw new Error('no code is asked for');
    await ask({ kind: 'enterCode', code: '000000', otp: task.otp });
    expect(page()).toMatchObject({ task: { kind: 'enterCode' }, error: { error_type: 'otp_code_not_found' } });
    await ask({ kind: 'enterCode', code: world.server.codeFor('second@example.com') ?? '', otp: task.otp });
    expect(page().user.emails.map(({ email }) => email)).toEqual([ADA, 'second@example.com']);
    expect(page()).toMatchObject({ task: null, news: { what: 'emailAdded' } });
    expect(heard).toEqual([{ type: 'ACCOUNT_CHANGED', data: { change: 'emailAdded' } }]);
  });

  it('sends no text to a number that cannot be', async () => {
    const { ask, store, world } = await open();
    store.send({ type: 'account/opened', task: { kind: 'addPhone' } });
    await ask({ kind: 'sendText', method: 'sms', country: 'US', national: '1', edit: 3 });
    expect(store.getState().phone).toMatchObject({ edit: 3, invalid: true });
    expect(world.server.inbox.every(({ channel }) => channel === 'email')).toBe(true);
  });

  it('keeps the last way to sign in, and reports the refusal', async () => {
    const { ask, page, errors } = await open();
    const { email_id: id = '' } = page().user.emails[0] ?? {};
    await ask({ kind: 'remove', what: 'email', id });
    expect(page()).toMatchObject({ error: { error_type: 'cannot_delete_last_factor' }, failed: { what: 'email', id } });
    expect(errors).toHaveLength(1);
  });

  it.each([
    ['social', 'oauth_registration_not_found'],
    ['wallet', 'crypto_wallet_not_found'],
  ] as const)('asks the server to unlink a %s login', async (what, error_type) => {
    const { ask, page } = await open();
    await ask({ kind: 'remove', what, id: 'none' });
    expect(page()).toMatchObject({ error: { error_type }, failed: { what } });
  });

  it('ends a session elsewhere, and lists what is left', async () => {
    const world = new TestWorld();
    const away = await signInElsewhere(world);
    await world.clock.advance(1_000);
    const { ask, page, loaded, until } = await open({ world });
    await loaded();
    const id = away.session.getSync()?.session_id ?? '';
    expect(page().sessions).toMatchObject({ items: [{ is_current: true }, { session_id: id, is_current: false }] });
    await ask({ kind: 'remove', what: 'session', id });
    expect(page().news?.what).toBe('sessionEnded');
    await until(() => !JSON.stringify(page().sessions).includes(id));
    await expect(away.session.authenticate()).rejects.toMatchObject({ error_type: 'unauthorized_credentials' });
    expect(away.session.getSync()).toBe(null);
  });

  it('lists the trusted browsers and the recovery that waits, and ends each', async () => {
    const { world, secret } = await worldWithApp({ recovery_hours: 24 });
    const { client } = world.open();
    await world.signIn(client);
    const entered = { totp_code: world.server.totpCode(secret), session_duration_minutes: 60 };
    await client.totps.authenticate({ ...entered, trust_device: true });
    // Somebody who lacks the second factor begins it elsewhere.
    const elsewhere = await signInElsewhere(world);
    await elsewhere.mfa.startRecovery();
    const { ask, page, until } = await open({ world, isSignedIn: false });
    await until(() => page().devices.status === 'known' && page().recoveries.status === 'known');
    const { devices, recoveries } = page();
    if (devices.status !== 'known' || recoveries.status !== 'known') throw new Error('unknown');
    expect([devices.items.length, recoveries.items.length]).toEqual([1, 1]);

    await ask({ kind: 'remove', what: 'device', id: devices.items[0]?.device_id ?? '' });
    expect(page().news?.what).toBe('deviceRemoved');
    await until(() => JSON.stringify(page().devices) === '{"status":"known","items":[]}');
    expect((await client.mfa.trustedDevices()).devices).toEqual([]);
    await ask({ kind: 'remove', what: 'recovery', id: recoveries.items[0]?.recovery_id ?? '' });
    expect(page().news?.what).toBe('recoveryStopped');
    await until(() => JSON.stringify(page().recoveries) === '{"status":"known","items":[]}');
    expect((await client.mfa.recovery()).recovery).toBeNull();
  });

  it('shows how many recovery codes are left, and makes new ones after the second factor', async () => {
    const { world, recovery_codes } = await worldWithApp();
    const { client } = world.open();
    await world.signIn(client);
    await client.totps.recover({ recovery_code: recovery_codes[0] ?? '', session_duration_minutes: 60 });
    const { ask, page, until, heard } = await open({ world, isSignedIn: false });
    const known = (left: number) => ({ status: 'known', items: [{ left, can_be_shown: false }] });
    const shows = (left: number) => until(() => JSON.stringify(page().recoveryCodes) === JSON.stringify(known(left)));
    await shows(9);
    await ask({ kind: 'renewRecoveryCodes' });
    const { task, news } = page();
    expect(news?.what).toBe('codesRenewed');
    expect(heard).toEqual([{ type: 'ACCOUNT_CHANGED', data: { change: 'codesRenewed' } }]);
    const codes = task?.kind === 'recoveryCodes' ? task.codes : [];
    expect(codes).toHaveLength(10);
    expect(codes.some((code) => recovery_codes.includes(code))).toBe(false);
    await shows(10);
  });

  it('counts the codes again after one of them proved the second factor', async () => {
    const { ask, prove, page, store, until, recovery_codes } = await withTotp();
    await until(() => page().recoveryCodes.status === 'known');
    await ask({ kind: 'renewRecoveryCodes' });
    expect(page().at).toBe('proving');
    store.send({ type: 'account/closed' });
    await ask({ kind: 'showRecoveryCodes' });
    store.send({ type: 'account/wayChosen', way: 'recovery' });
    await prove(recovery_codes[0] ?? '');
    await until(() => JSON.stringify(page().recoveryCodes).includes('"left":9'));
  });

  it('signs out everywhere else, and shows this session alone at once', async () => {
    const world = new TestWorld();
    const away = await signInElsewhere(world);
    const { ask, page, loaded, until } = await open({ world });
    await loaded();
    expect(page().sessions).toMatchObject({ items: [{}, {}] });
    await ask({ kind: 'endOthers' });
    expect(page()).toMatchObject({
      news: { what: 'othersEnded' },
      sessions: { status: 'known', items: [{ is_current: true }] },
    });
    await expect(away.session.authenticate()).rejects.toMatchObject({ error_type: 'unauthorized_credentials' });
    await until(() => page().sessions.status === 'known');
  });

  soakIt('adds the next page of sessions, each once, and loads as many again after a change', async () => {
    const world = new TestWorld();
    for (let made = 0; made < 120; made += 1) {
      await signInElsewhere(world);
      await world.clock.advance(10);
    }
    const { ask, page, loaded, until } = await open({ world });
    await loaded();
    const { sessions } = page();
    if (sessions.status !== 'known') throw new Error(sessions.status);
    expect(sessions.items).toHaveLength(100);
    await ask({ kind: 'moreSessions', cursor: sessions.next ?? '' });
    const all = page().sessions;
    if (all.status !== 'known') throw new Error(all.status);
    expect([all.items.length, all.next]).toEqual([121, null]);
    expect(new Set(all.items.map(({ session_id }) => session_id)).size).toBe(121);
    await ask({ kind: 'remove', what: 'session', id: all.items[110]?.session_id ?? '' });
    await until(() => (page().sessions as typeof all).items.length === 120);
  });

  it('asks to sign in when the session turns out to have ended elsewhere', async () => {
    const { ask, account, until, world, client } = await open();
    world.transport.answer(users.update, () => errorReply(401, 'unauthorized_credentials'));
    world.transport.answer(sessionCalls.authenticate, () => errorReply(401, 'unauthorized_credentials'));
    await ask({ kind: 'name', name: { first_name: 'Ada' } });
    await until(() => account().at === 'signedOut');
    expect(client.session.getSync()).toBe(null);
  });

  it('signs out', async () => {
    const { store, account, until, client } = await open();
    store.send({ type: 'account/asked', change: { kind: 'signOut' } });
    await until(() => account().at === 'signedOut');
    expect(client.session.getSync()).toBe(null);
  });
});
