import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { ANY_DATABASE, type Fields, PUBLIC_TOKEN, WITHOUT_PKCE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { HTML, ORIGIN } from '../kit/oauth-harness.ts';

describe('social logins of other projects', () => {
  const provider = suiteProvider(ANY_DATABASE);

  const strict = { ...DEMO_PROJECT, ...WITHOUT_PKCE, allow_loopback: false };
  const login = 'http://localhost:3000/a';

  it.each([
    ['on a public address', { loopback: false }, 'oauth_config_not_found'],
    [
      'with the provider off',
      { project: { ...DEMO_PROJECT, ...WITHOUT_PKCE, oauth_providers: [] } },
      'oauth_config_not_found',
    ],
    [
      'with PKCE required',
      { project: { ...DEMO_PROJECT, ...WITHOUT_PKCE, pkce_required_for_oauth: true } },
      'pkce_code_challenge_required',
    ],
    ['without a login URL', { project: strict }, 'no_login_redirect_urls_set'],
    [
      'without a sign-up URL',
      { project: { ...strict, redirect_urls: [login], default_login_redirect_url: login } },
      'no_signup_redirect_urls_set',
    ],
  ])('%s are refused', async (__, options, type) => {
    const app = createApp({ ...provider.services, ...options });
    const reply = await app.request(`${ORIGIN}/v1/public/oauth/google/start?public_token=${PUBLIC_TOKEN}`);
    expect(((await reply.json()) as Fields)['error_type']).toBe(type);
    const accounts = await app.request(`${ORIGIN}/accounts/google/jwks`, { headers: HTML });
    expect(accounts.status).toBe('loopback' in options ? 404 : 200);
  });
});
