import { suite, type TestRunner } from '../runner.ts';
import { OAUTH_PROVIDERS, type OAuthProvider, type OAuthStartOptions } from '#domain/social/oauth-providers.ts';
import {
  factorsOf,
  HOUR,
  MINUTE_MS,
  openTab,
  refusalOf,
  signedIn,
  signIn,
  SITE,
  type FlowBrowser,
  type FlowWorld,
  type MakeFlowWorld,
} from './world.ts';

interface OAuthLoginOptions {
  readonly browser?: FlowBrowser;
  readonly email?: string;
  readonly options?: OAuthStartOptions;
}

/** Leaves the page for a provider and comes back: the token in the query, and a client in the page after that. */
async function goThere(world: FlowWorld, provider: OAuthProvider, { browser, email, options }: OAuthLoginOptions = {}) {
  const here = browser ?? world.newBrowser();
  const { client, tab } = openTab(world, here);
  await client.oauth[provider].start(options);
  const left = tab.formPost.posted.at(-1) ?? tab.browser.navigations.at(-1) ?? '';
  const url = await world.comeBack(left, email ?? world.address('ada'));
  return { url, token: url.searchParams.get('token') ?? '', client: openTab(world, here).client };
}

/** Logging in by a social provider (specification, sections 4 and 7). */
export function oauthFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `social logins: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('leave the page, come back with a token, and sign up', async (world) => {
        const email = world.address('ada');
        const { url, token, client } = await goThere(world, 'google', { email });
        expect([url.origin, url.searchParams.get('stytch_token_type')]).toEqual(['http://localhost:3000', 'oauth']);
        const reply = await client.oauth.authenticate(token, HOUR);
        expect(reply.provider_type).toBe('google');
        expect(reply.user.providers.map((each) => [each.provider_type, each.provider_subject])).toEqual([
          ['google', reply.provider_subject],
        ]);
        expect(reply.user.emails.map((each) => [each.email, each.verified])).toEqual([[email, true]]);
        expect(factorsOf(client)).toEqual(['oauth']);
      });

      test('work with all nineteen, and one address is one user', async (world) => {
        const email = world.address('ada');
        const users = new Set<string>();
        const details: string[] = [];
        const providers = Object.keys(OAUTH_PROVIDERS) as OAuthProvider[];
        for (const provider of providers) {
          const { token, client } = await goThere(world, provider, { email });
          const reply = await client.oauth.authenticate(token, HOUR);
          users.add(reply.user_id);
          const [factor = {}] = reply.session?.authentication_factors ?? [];
          const named = Object.entries(factor).filter(([name]) => name.endsWith('_oauth_factor'));
          for (const [name, detail] of named) {
            details.push(name);
            expect(detail).toEqual({
              id: reply.user.providers.find((one) => one.provider_type === provider)?.oauth_user_registration_id,
              email_id: reply.user.emails[0]?.email_id,
              provider_subject: reply.provider_subject,
            });
          }
        }
        expect([providers.length, users.size]).toEqual([19, 1]);
        // Both spellings: that of the clients, and that of the backend SDKs.
        const twice = ['git_lab_oauth_factor', 'linked_in_oauth_factor', 'tik_tok_oauth_factor'];
        expect(details.sort()).toEqual([...providers.map((name) => `${name}_oauth_factor`), ...twice].sort());
      });

      test('take who is new to one page and who is known to the other, with the scopes that were requested', async (world) => {
        const email = world.address('ada');
        const options = { login_redirect_url: SITE, custom_scopes: ['calendar.read', 'repo'] };
        const first = await goThere(world, 'github', { email, options });
        const reply = await first.client.oauth.authenticate(first.token, HOUR);
        const { scopes } = reply.provider_values;
        expect(['calendar.read', 'repo'].every((scope) => scopes.includes(scope))).toBe(true);
        const again = await goThere(world, 'github', { email, options });
        expect((await again.client.oauth.authenticate(again.token, HOUR)).user_id).toBe(reply.user_id);
      });

      test('work the same where a form starts them', async (world) => {
        const browser = world.newBrowser();
        const options = { method: 'POST', login_redirect_url: SITE, custom_scopes: ['repo'] } as const;
        const { token, client } = await goThere(world, 'github', { browser, options });
        const reply = await client.oauth.authenticate(token, HOUR);
        expect([factorsOf(client), reply.provider_values.scopes.includes('repo')]).toEqual([['oauth'], true]);
        const elsewhere = { method: 'POST', signup_redirect_url: 'https://evil.example/' } as const;
        expect(await refusalOf(goThere(world, 'github', { options: elsewhere }))).toBe(
          'no_match_for_provided_oauth_url',
        );
      });

      test('find the user who verified the address', async (world) => {
        const email = world.address('ada');
        const { client: before } = await signedIn(world, email);
        const { token, client } = await goThere(world, 'apple', { email });
        const reply = await client.oauth.authenticate(token, HOUR);
        expect(reply.user_id).toBe(before.user.getSync()?.user_id);
      });

      test('give a token that works once, and in time', async (world) => {
        const { token, client } = await goThere(world, 'slack');
        await client.oauth.authenticate(token, HOUR);
        expect(await refusalOf(client.oauth.authenticate(token, HOUR))).toBe('oauth_token_not_found');
        const late = await goThere(world, 'slack');
        world.passTime(5 * MINUTE_MS + 1);
        expect(await refusalOf(late.client.oauth.authenticate(late.token, HOUR))).toBe('oauth_token_not_found');
        expect(await refusalOf(client.oauth.authenticate('nonsense', HOUR))).toBe('oauth_token_not_found');
      });

      test('attach an account to the signed-in user, and log no other user in', async (world) => {
        const browser = world.newBrowser();
        const { client: before } = openTab(world, browser);
        await signIn(world, before);
        const { session_id } = before.session.getSync() ?? {};
        const { oauth_attach_token } = await before.oauth.attach('github');
        const there = { browser, options: { oauth_attach_token } } as const;
        const { token, client } = await goThere(world, 'github', there);
        const { client: elsewhere } = await signedIn(world);
        expect(await refusalOf(elsewhere.oauth.authenticate(token, HOUR))).toBe('pkce_expected_code_verifier');
        const reply = await client.oauth.authenticate(token, HOUR);
        expect([reply.session.session_id, factorsOf(client)]).toEqual([session_id, ['otp', 'oauth']]);
        expect(reply.user.providers.map(({ provider_type }) => provider_type)).toEqual(['github']);
        expect(await refusalOf(goThere(world, 'github', there))).toBe('oauth_token_not_found');
        expect(await refusalOf(openTab(world).client.oauth.attach('github'))).toBe('user_unauthenticated');
        const inAddress = `http://localhost:4100/v1/public/oauth/github/start?public_token=${world.publicToken}`;
        const byAddress = (query: string) => world.comeBack(`${inAddress}&${query}`, world.address('eve'));
        expect(await refusalOf(byAddress('oauth_attach_token=x'))).toBe('bad_request');
        expect(await refusalOf(byAddress('oauth_attach_token=&code_challenge=x'))).toBe('bad_request');
      });

      test('attach an account by an address with a challenge, as the reference client begins it', async (world) => {
        const browser = world.newBrowser();
        const { client, tab } = openTab(world, browser);
        await signIn(world, client);
        const addressOfStart = async () => {
          await client.oauth.github.start(await client.oauth.attach('github'));
          const { url = '', fields = {} } = tab.formPost.posted.at(-1) ?? {};
          return `${url}?${new URLSearchParams(fields).toString()}`;
        };
        const address = await addressOfStart();
        const url = await world.comeBack(address, world.address('ada'));
        const back = openTab(world, browser).client;
        const reply = await back.oauth.authenticate(url.searchParams.get('token') ?? '', HOUR);
        expect(reply.user.providers.map(({ provider_type }) => provider_type)).toEqual(['github']);
        expect(await refusalOf(world.comeBack(address, world.address('eve')))).toBe('oauth_token_not_found');
        const refused = await addressOfStart();
        const elsewhere = `${refused}&login_redirect_url=https://evil.example/`;
        expect(await refusalOf(world.comeBack(elsewhere, world.address('ada')))).toBe(
          'no_match_for_provided_oauth_url',
        );
        expect(await refusalOf(world.comeBack(refused, world.address('eve')))).toBe('oauth_token_not_found');
      });

      test('lead to registered pages only', async (world) => {
        const options = { signup_redirect_url: 'https://evil.example/' };
        expect(await refusalOf(goThere(world, 'google', { options }))).toBe('no_match_for_provided_oauth_url');
      });
    },
  );

  suite(
    { describe, it, expect },
    `social logins with a proof key: ${name}`,
    () => makeWorld({ pkceRequired: true }),
    (test) => {
      test('end where they began', async (world) => {
        const { token, client } = await goThere(world, 'google');
        await client.oauth.authenticate(token, HOUR);
        expect(factorsOf(client)).toEqual(['oauth']);
      });

      test('are refused in another browser, and are not spent by that', async (world) => {
        const browser = world.newBrowser();
        const { token, client } = await goThere(world, 'google', { browser });
        const other = openTab(world).client;
        expect(await refusalOf(other.oauth.authenticate(token, HOUR))).toBe('pkce_expected_code_verifier');
        const another = await goThere(world, 'google');
        expect(await refusalOf(another.client.oauth.authenticate(token, HOUR))).toBe('pkce_mismatch');
        await client.oauth.authenticate(token, HOUR);
      });

      test('end where they began where a form starts them, too', async (world) => {
        const { token, client } = await goThere(world, 'google', { options: { method: 'POST' } });
        expect(await refusalOf(openTab(world).client.oauth.authenticate(token, HOUR))).toBe(
          'pkce_expected_code_verifier',
        );
        await client.oauth.authenticate(token, HOUR);
      });

      test('do not begin without one', async (world) => {
        const start = `http://localhost:4100/v1/public/oauth/google/start?public_token=${world.publicToken}`;
        expect(await refusalOf(world.comeBack(start, world.address('ada')))).toBe('pkce_code_challenge_required');
      });
    },
  );
}
