import { suite, type TestRunner } from '../runner.ts';
import {
  MINUTE_MS,
  openClient,
  refusalOf,
  signIn as logIn,
  type FlowBrowser,
  type FlowWorld,
  type MakeFlowWorld,
} from './world.ts';

async function signIn(world: FlowWorld, browser: FlowBrowser) {
  const client = openClient(world, browser);
  return { client, reply: await logIn(world, client) };
}

/** The life of a session (specification, section 4). */
export function sessionFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `session: ${name}`,
    () => makeWorld({ pkceRequired: false }),
    (test) => {
      test('is confirmed, and extended when a duration is given', async (world) => {
        const { client, reply } = await signIn(world, world.newBrowser());
        world.passTime(MINUTE_MS);
        const confirmed = await client.session.authenticate();
        expect(confirmed.session.session_id).toBe(reply.session.session_id);
        expect(confirmed.session.expires_at).toBe(reply.session.expires_at);
        const extended = await client.session.authenticate({ session_duration_minutes: 120 });
        expect(Date.parse(extended.session.expires_at) - Date.parse(reply.session.expires_at)).toBe(61 * MINUTE_MS);
        client.destroy();
      });

      test('is there after a reload and in every tab, and gone from all after one signed out', async (world) => {
        const browser = world.newBrowser();
        const { client: first } = await signIn(world, browser);
        const second = openClient(world, browser);
        expect(second.session.getSync()).toEqual(first.session.getSync());
        expect((await second.user.get())?.user_id).toBe(first.user.getSync()?.user_id);
        await second.session.revoke();
        expect([first.session.getSync(), first.user.getSync(), first.session.getTokens()]).toEqual([null, null, null]);
        first.destroy();
        second.destroy();
      });

      test('gets a new token and one factor more with each login, and the token before is worth nothing', async (world) => {
        const { client, reply } = await signIn(world, world.newBrowser());
        const { session_token: planted = '' } = reply;
        const email = reply.user.emails[0]?.email ?? '';
        await client.magicLinks.email.loginOrCreate(email);
        const again = await client.magicLinks.authenticate(await world.tokenFor(email), {
          session_duration_minutes: 30,
        });
        expect(again.session.session_id).toBe(reply.session.session_id);
        expect(again.session.expires_at).toBe(reply.session.expires_at);
        expect(again.session.authentication_factors.map(({ type }) => type)).toEqual(['otp', 'magic_link']);
        const thief = openClient(world, world.newBrowser());
        thief.session.updateSession({ session_token: planted });
        expect(await refusalOf(thief.session.authenticate())).toBe('unauthorized_credentials');
        await client.session.authenticate();
      });

      test('of another user is not changed by a login, which starts a new session', async (world) => {
        const { client, reply } = await signIn(world, world.newBrowser());
        const next = await logIn(world, client, world.address('grace'));
        expect(next.session.session_id === reply.session.session_id).toBe(false);
        expect(next.user_id === reply.user_id).toBe(false);
        expect(client.user.getSync()?.user_id).toBe(next.user_id);
      });

      test('lasts from five minutes to a year', async (world) => {
        const { client, reply } = await signIn(world, world.newBrowser());
        for (const session_duration_minutes of [4, 7.5, 527_041]) {
          expect(await refusalOf(client.session.authenticate({ session_duration_minutes }))).toBe(
            'invalid_session_duration',
          );
        }
        expect((await client.session.authenticate({ session_duration_minutes: 5 })).session.expires_at).toBe(
          reply.session.expires_at,
        );
      });

      test('that was ended is refused by the server, and forgotten here', async (world) => {
        const browser = world.newBrowser();
        const { client, reply } = await signIn(world, browser);
        await client.session.revoke();
        const { session_token = '', session_jwt = '' } = reply;
        client.session.updateSession({ session_token, session_jwt });
        expect(await refusalOf(client.session.authenticate())).toBe('unauthorized_credentials');
        expect(client.session.getTokens()).toBe(null);
        client.destroy();
      });

      test('is listed with the user’s other sessions, and can be ended from another browser', async (world) => {
        const { client: away, reply } = await signIn(world, world.newBrowser());
        const here = openClient(world, world.newBrowser());
        world.passTime(MINUTE_MS);
        const own = await logIn(world, here, reply.user.emails[0]?.email ?? '');
        const { sessions } = await here.session.list();
        expect(sessions.map(({ session_id, is_current }) => [session_id, is_current])).toEqual([
          [own.session.session_id, true],
          [reply.session.session_id, false],
        ]);
        expect(sessions[0]?.authentication_factors).toEqual([{ type: 'otp', delivery_method: 'email' }]);
        const stranger = openClient(world, world.newBrowser());
        await logIn(world, stranger, world.address('grace'));
        const id = reply.session.session_id;
        expect(await refusalOf(stranger.session.revokeOther(id))).toBe('live_session_not_found');
        await here.session.revokeOther(id);
        expect(await refusalOf(here.session.revokeOther(id))).toBe('live_session_not_found');
        expect((await here.session.list()).sessions.length).toBe(1);
        expect(await refusalOf(away.session.authenticate())).toBe('unauthorized_credentials');
        expect(away.session.getSync()).toBe(null);
        for (const client of [away, here, stranger]) client.destroy();
      });

      test('ends when its time is over', async (world) => {
        const { client } = await signIn(world, world.newBrowser());
        world.passTime(60 * MINUTE_MS + 1);
        await refusalOf(client.session.authenticate());
        expect(client.session.getSync()).toBe(null);
        client.destroy();
      });

      test('cannot be confirmed or ended by who has none', async (world) => {
        const client = openClient(world, world.newBrowser());
        expect(await refusalOf(client.session.authenticate())).toBe('user_unauthenticated');
        expect(await refusalOf(client.session.revoke())).toBe('user_unauthenticated');
        client.destroy();
      });
    },
  );
}
