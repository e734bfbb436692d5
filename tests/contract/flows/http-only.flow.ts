import { suite, type TestRunner } from '../runner.ts';
import { PROFILE } from './project.ts';
import {
  factorsOf,
  HOUR,
  MINUTE_MS,
  openClient,
  openTab,
  refusalOf,
  signedIn,
  signIn,
  until,
  type MakeFlowWorld,
} from './world.ts';

const HINT = 'stytch_session_hint';

/** A session in cookies that scripts cannot read. */
export function httpOnlyFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `HttpOnly session: ${name}`,
    () => makeWorld({ httpOnly: true }),
    (test) => {
      test('has no secret that the page could read, and is confirmed and extended', async (world) => {
        const { client, tab } = openTab(world);
        const reply = await signIn(world, client);
        expect([reply.session_token, reply.session_jwt]).toEqual(['', '']);
        expect([client.session.getTokens(), tab.cookies.get('stytch_session')]).toEqual([null, null]);
        const confirmed = await client.session.authenticate({ session_duration_minutes: 120 });
        expect(confirmed.session.session_id).toBe(reply.session.session_id);
        expect([confirmed.session_token, confirmed.session_jwt]).toEqual(['', '']);
        expect(client.session.getSync()?.session_id).toBe(reply.session.session_id);
        expect((await client.user.get())?.user_id).toBe(reply.user_id);
      });

      test('is in every tab, and gone from all after one signed out', async (world) => {
        const browser = world.newBrowser();
        const { client: first, tab } = openTab(world, browser);
        await signIn(world, first);
        const second = openClient(world, browser);
        expect(second.session.getSync()).toEqual(first.session.getSync());
        await second.session.revoke();
        expect([first.session.getSync(), tab.cookies.get(HINT)]).toEqual([null, null]);
        expect(await refusalOf(openClient(world, browser).session.authenticate())).toBe('user_unauthenticated');
      });

      test('is found again by its cookies after the browser has emptied the storage', async (world) => {
        const browser = world.newBrowser();
        const { client, tab } = openTab(world, browser);
        const { session } = await signIn(world, client);
        client.destroy();
        tab.storage.remove(`stytch_sdk_state_${world.publicToken}`);
        const next = openClient(world, browser);
        expect(next.session.getSync()).toBe(null);
        await until(() => next.session.getSync() !== null);
        expect(next.session.getSync()?.session_id).toBe(session.session_id);
      });

      test('gets a further factor with a login of its user; a login of another user starts a new session', async (world) => {
        const { client } = openTab(world);
        const email = world.address('ada');
        const { session } = await signIn(world, client, email);
        await client.magicLinks.email.loginOrCreate(email);
        await client.magicLinks.authenticate(await world.tokenFor(email), HOUR);
        expect(factorsOf(client)).toEqual(['otp', 'magic_link']);
        const other = await signIn(world, client, world.address('grace'));
        expect(other.session.session_id === session.session_id).toBe(false);
        expect((await client.session.authenticate()).user_id).toBe(other.user_id);
      });

      test('ends when its time is over, and the browser forgets it', async (world) => {
        const { client, tab } = await signedIn(world);
        world.passTime(60 * MINUTE_MS + 1);
        expect(await refusalOf(client.session.authenticate())).toBe('unauthorized_credentials');
        expect([client.session.getSync(), tab.cookies.get(HINT)]).toEqual([null, null]);
      });

      test('is the same for impersonators and trusted issuers', async (world) => {
        const { client } = await signedIn(world);
        const user_id = client.user.getSync()?.user_id ?? '';
        const impersonation_token = await world.impersonationToken(user_id);
        const { client: operator } = openTab(world);
        const acting = await operator.impersonation.authenticate({ impersonation_token });
        const { client: guest } = openTab(world);
        const token = await world.trustedToken(PROFILE, world.address('guest'));
        const attested = await guest.session.attest({ profile_id: PROFILE, token, ...HOUR });
        for (const { session_token, session_jwt } of [acting, attested]) {
          expect([session_token, session_jwt]).toEqual(['', '']);
        }
        expect((await operator.session.authenticate()).user_id).toBe(user_id);
        expect((await guest.session.authenticate()).user_id).toBe(attested.user_id);
      });
    },
  );
}
