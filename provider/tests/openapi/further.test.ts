import { afterEach, describe, expect, it } from 'vitest';
import { furtherCalls } from '#provider/api/further-calls.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { signUpBound } from '../kit/bound-browser.ts';
import { pagesOf, SITE_BOUND_PROJECT } from '../kit/cookie-pages.ts';
import { makeDescribedProvider } from '../kit/described.ts';
import { ANY_DATABASE, PUBLIC_TOKEN, type Provider } from '../kit/harness.ts';
import { browser, CHALLENGE, ORIGIN } from '../kit/oauth-harness.ts';

const SHOP = 'https://shop.example';

describe('the description of the calls that are in no table of the APIs', () => {
  let provider: Provider;
  // Rejects if a request or a reply does not match.
  afterEach(() => provider.close());
  const get = async (path: string) => (await provider.app.request(`https://api.example.com${path}`)).status;

  it('holds for bound sessions', async () => {
    provider = await makeDescribedProvider(ANY_DATABASE, { project: SITE_BOUND_PROJECT, loopback: false, dev: false });
    const bound = await signUpBound(provider, pagesOf(() => provider).openPage());
    expect([bound.registered.status, bound.proved.status]).toEqual([200, 200]);
    expect((await bound.browser.askChallenge(bound.session_id)).status).toBe(403);
    expect((await bound.browser.askChallenge('session-of-nobody')).body).toMatchObject({ continue: false });
    expect(await get(furtherCalls.bindingOrigins.path)).toBe(200);
    expect(await get(furtherCalls.relatedOrigins.path)).toBe(404);
  });

  it('holds for the files of keys and of passkeys', async () => {
    const project = projectFrom({ origins: [SHOP], allow_loopback: true, passkey_domain: 'shop.example' });
    provider = await makeDescribedProvider(ANY_DATABASE, { project });
    const paths = [furtherCalls.sessionKeys.path, furtherCalls.relatedOrigins.path];
    const statuses = await Promise.all(
      paths.map(async (path) => (await provider.app.request(`http://localhost:4100${path}`)).status),
    );
    expect(statuses).toEqual([200, 200]);
  });

  it('holds for the starts of social logins', async () => {
    provider = await makeDescribedProvider(ANY_DATABASE);
    const options = {
      code_challenge: CHALLENGE,
      custom_scopes: ['calendar'],
      provider_params: { login_hint: 'ada@example.com' },
      login_redirect_url: 'http://localhost:3000/in',
    };
    const visitor = browser(provider);
    const started = [
      await visitor.start('google', options),
      await visitor.start('google', { ...options, method: 'POST' }),
    ];
    expect(started.map(({ status }) => status)).toEqual([303, 303]);
    const unknown = `${ORIGIN}/v1/public/oauth/nobody/start?public_token=${PUBLIC_TOKEN}`;
    expect((await provider.app.request(unknown)).status).toBe(404);
  });
});
