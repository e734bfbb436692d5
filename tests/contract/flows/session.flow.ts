import { suite, type TestRunner } from '../runner.ts';
import { openClient, refusalOf, type FlowBrowser, type FlowWorld, type MakeFlowWorld } from './world.ts';

const MINUTE_MS = 60_000;

async function signIn(world: FlowWorld, browser: FlowBrowser) {
  const ada = world.address('ada');
  const client = openClient(world, browser);
  const { method_id } = await client.otps.email.loginOrCreate(ada);
  const reply = await client.otps.authenticate(await world.codeFor(ada), method_id, { session_duration_minutes: 60 });
  return { client, reply };
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
