import { suite, type TestRunner } from '../runner.ts';
import {
  HOUR,
  MINUTE_MS,
  openClient,
  openTab,
  refusalOf,
  signedIn,
  signIn,
  type FlowWorld,
  type MakeFlowWorld,
} from './world.ts';

const TEN_MINUTES = 10 * MINUTE_MS;

/** A user whose session has added and proved an authenticator app, a minute after it began. */
async function withApp(world: FlowWorld) {
  const opened = await signedIn(world);
  world.passTime(MINUTE_MS);
  const { secret } = await opened.client.totps.create({ expiration_minutes: 5 });
  await opened.client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
  return { ...opened, secret };
}

/** The user's data, and the end of the account: additions to the reference's wire. */
export function accountDataFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `the data of the user: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('deletes the account: the session ends in all tabs and browsers, and the address is free', async (world) => {
        const email = world.address('ada');
        const browser = world.newBrowser();
        const here = openClient(world, browser);
        await signIn(world, here, email);
        const there = openClient(world, browser);
        const { client: elsewhere } = await signedIn(world, email);
        const { user_id } = here.user.getSync() ?? {};
        const reply = await here.user.deleteAccount();
        expect(Object.keys(reply).sort()).toEqual(['request_id', 'status_code', 'user_id']);
        expect(reply.user_id).toBe(user_id ?? '');
        expect([here.user.getSync(), here.session.getSync(), there.user.getSync()]).toEqual([null, null, null]);
        expect(await refusalOf(elsewhere.session.authenticate())).toBe('unauthorized_credentials');
        const again = await signIn(world, here, email);
        expect(again.user_id === user_id).toBe(false);
      });

      test('deletes nothing without a session, or for a second time', async (world) => {
        const { client } = openTab(world);
        expect(await refusalOf(client.user.deleteAccount())).toBe('user_unauthenticated');
        expect(await refusalOf(client.user.exportData())).toBe('user_unauthenticated');
        await signIn(world, client);
        await client.user.deleteAccount();
        expect(await refusalOf(client.user.deleteAccount())).toBe('user_unauthenticated');
      });

      test('deletes an account within ten minutes of a login, and asks for a new one later', async (world) => {
        const email = world.address('ada');
        const { client } = await signedIn(world, email);
        world.passTime(TEN_MINUTES + 1);
        expect(await refusalOf(client.user.deleteAccount())).toBe('login_required');
        expect((await client.user.get())?.emails.map((each) => each.email)).toEqual([email]);
        const { method_id } = await client.otps.email.send(email);
        await client.otps.authenticate(await world.codeFor(email), method_id, HOUR);
        await client.user.deleteAccount();
        expect(client.user.getSync()).toBe(null);
      });

      test('needs the second factor of a user who has one, and again after ten minutes', async (world) => {
        const { client: first, secret } = await withApp(world);
        const email = first.user.getSync()?.emails[0]?.email ?? '';
        const { client } = await signedIn(world, email);
        expect(await refusalOf(client.user.deleteAccount())).toBe('mfa_required');
        expect(await refusalOf(client.user.exportData())).toBe('mfa_required');
        world.passTime(MINUTE_MS);
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        world.passTime(TEN_MINUTES + 1);
        // The first factor is not enough, however fresh.
        const { method_id } = await client.otps.email.send(email);
        await client.otps.authenticate(await world.codeFor(email), method_id, HOUR);
        expect(await refusalOf(client.user.deleteAccount())).toBe('mfa_required');
        expect((await client.user.exportData()).data.user.totps.length).toBe(1);
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        await client.user.deleteAccount();
        expect(await refusalOf(first.user.get())).toBe('unauthorized_credentials');
      });

      test('takes no proof by a method that was added in the session, until a login by one from before', async (world) => {
        const { client, secret } = await withApp(world);
        const email = client.user.getSync()?.emails[0]?.email ?? '';
        world.passTime(TEN_MINUTES + 1);
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        await client.passwords.resetBySession({ password: 'correct horse battery staple', ...HOUR });
        expect(await refusalOf(client.user.deleteAccount())).toBe('login_required');
        const { method_id } = await client.otps.email.send(email);
        await client.otps.authenticate(await world.codeFor(email), method_id, HOUR);
        await client.user.deleteAccount();
        expect(client.user.getSync()).toBe(null);
      });

      test('gives neither the data nor the account to somebody who acts for the user', async (world) => {
        const { client } = await signedIn(world);
        const { user_id = '' } = client.user.getSync() ?? {};
        const { client: operator } = openTab(world);
        await operator.impersonation.authenticate({ impersonation_token: await world.impersonationToken(user_id) });
        expect(await refusalOf(operator.user.deleteAccount())).toBe('unauthorized_action');
        expect(await refusalOf(operator.user.exportData())).toBe('unauthorized_action');
        expect((await client.user.get())?.user_id).toBe(user_id);
      });

      test('exports what the page shows of the user, without secrets', async (world) => {
        const { client, secret } = await withApp(world);
        await client.user.update({ name: { first_name: 'Ada' } });
        await client.webauthn.register();
        const reply = await client.user.exportData();
        expect(Object.keys(reply).sort()).toEqual(['data', 'request_id', 'status_code']);
        const { data } = reply;
        expect(Object.keys(data).sort()).toEqual([
          'audit_log',
          'connected_apps',
          'exported_at',
          'sessions',
          'trusted_devices',
          'user',
        ]);
        expect(data.user).toEqual((await client.user.get()) ?? data.user);
        expect(data.sessions).toEqual((await client.session.list()).sessions);
        expect([data.connected_apps, data.trusted_devices]).toEqual([[], []]);
        const text = JSON.stringify(data);
        const tokens = client.session.getTokens();
        for (const hidden of [secret, tokens?.session_token, tokens?.session_jwt]) {
          expect(text.includes(hidden ?? 'none')).toBe(false);
        }
      });
    },
  );
}
