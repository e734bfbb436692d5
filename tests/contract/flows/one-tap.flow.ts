import { suite, type TestRunner } from '../runner.ts';
import {
  factorsOf,
  HOUR,
  openTab,
  refusalOf,
  until,
  type FlowTab,
  type FlowWorld,
  type MakeFlowWorld,
} from './world.ts';

/** Chooses an account in the prompt, and answers where the page goes then. */
async function choose(world: FlowWorld, tab: FlowTab, email: string): Promise<URL> {
  const clientId = tab.oneTap.prompts.at(-1)?.clientId ?? '';
  const before = tab.browser.navigations.length;
  tab.oneTap.choose(await world.googleIdToken(email, clientId));
  await until(() => tab.browser.navigations.length > before);
  return new URL(tab.browser.navigations.at(-1) ?? '');
}

/** Google One Tap (specification, sections 4 and 7). */
export function oneTapFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  for (const pkceRequired of [false, true]) {
    suite(
      { describe, it, expect },
      `One Tap ${pkceRequired ? 'with' : 'without'} a proof key: ${name}`,
      () => makeWorld({ pkceRequired }),
      (test) => {
        test('signs in whoever chooses an account, on the page that it leads to', async (world) => {
          const browser = world.newBrowser();
          const email = world.address('ada');
          const { client, tab } = openTab(world, browser);
          expect(await client.oauth.googleOneTap.start()).toEqual({ success: true });
          const url = await choose(world, tab, email);
          expect([url.origin, url.searchParams.get('stytch_token_type')]).toEqual(['http://localhost:3000', 'oauth']);
          const after = openTab(world, browser).client;
          const reply = await after.oauth.authenticate(url.searchParams.get('token') ?? '', HOUR);
          expect([reply.provider_type, reply.user.emails[0]?.email]).toEqual(['google', email]);
          expect(factorsOf(after)).toEqual(['oauth']);
        });
      },
    );
  }

  suite(
    { describe, it, expect },
    `One Tap: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('is the same person as at Google’s own page', async (world) => {
        const browser = world.newBrowser();
        const email = world.address('ada');
        const { client, tab } = openTab(world, browser);
        await client.oauth.google.start();
        const there = await world.comeBack(tab.browser.navigations.at(-1) ?? '', email);
        const first = await client.oauth.authenticate(there.searchParams.get('token') ?? '', HOUR);
        await client.session.revoke();
        await client.oauth.googleOneTap.start();
        const url = await choose(world, tab, email);
        const second = await client.oauth.authenticate(url.searchParams.get('token') ?? '', HOUR);
        expect(second.user_id).toBe(first.user_id);
        expect(second.user.providers.length).toBe(1);
      });

      test('goes nowhere with an invalid ID token, and reports it in the log alone', async (world) => {
        const { client, tab } = openTab(world);
        await client.oauth.googleOneTap.start();
        const errors: unknown[] = [];
        tab.log.error = (...said: unknown[]) => void errors.push(said);
        tab.oneTap.choose('nonsense');
        await until(() => errors.length > 0);
        expect(tab.browser.navigations).toEqual([]);
      });

      test('takes one choice for each time that it is shown', async (world) => {
        const { client, tab } = openTab(world);
        await client.oauth.googleOneTap.start();
        const [prompt] = tab.oneTap.prompts;
        const idToken = await world.googleIdToken(world.address('ada'), prompt?.clientId ?? '');
        prompt?.onCredential(idToken);
        await until(() => tab.browser.navigations.length === 1);
        const errors: unknown[] = [];
        tab.log.error = (...said: unknown[]) => void errors.push(said);
        prompt?.onCredential(idToken);
        await until(() => errors.length > 0);
        expect(tab.browser.navigations.length).toBe(1);
      });

      test('gives a token that works once', async (world) => {
        const { client, tab } = openTab(world);
        await client.oauth.googleOneTap.start();
        const token = (await choose(world, tab, world.address('ada'))).searchParams.get('token') ?? '';
        await client.oauth.authenticate(token, HOUR);
        expect(await refusalOf(client.oauth.authenticate(token, HOUR))).toBe('oauth_token_not_found');
      });
    },
  );
}
