import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, makeProvider, type Provider } from '../kit/harness.ts';
import { browser } from '../kit/oauth-harness.ts';

describe.each(DATABASES)('denied social logins on %s', (_, url) => {
  let provider: Provider;
  let visitor: ReturnType<typeof browser>;
  beforeAll(async () => {
    provider = await makeProvider(url);
    visitor = browser(provider);
  });
  afterAll(() => provider.close());

  it('redirects a denial to the registered login URL, with the refusal and without a token', async () => {
    const options = {
      login_redirect_url: 'http://localhost:3000/in?x=1',
      signup_redirect_url: 'http://localhost:3000/up',
    };
    const back = await visitor.callback('github', { deny: 'yes' }, options);
    expect(new URL(back).searchParams.get('error')).toBe('access_denied');
    const reply = await visitor.get(back);
    expect(reply.status).toBe(303);
    const { origin, pathname, searchParams } = new URL(reply.headers.get('location') ?? '');
    expect(origin + pathname).toBe('http://localhost:3000/in');
    expect(Object.fromEntries(searchParams)).toEqual({
      x: '1',
      error: 'access_denied',
      error_description: 'The login with GitHub was denied.',
      provider_type: 'github',
    });
    // The flow is over with it.
    const again = await visitor.get(back);
    expect([again.status, again.headers.get('location')]).toEqual([400, null]);
  });

  it('redirects no denial of an unknown flow, another provider or another issuer', async () => {
    const denied = async () => new URL(await visitor.callback('google', { deny: 'yes' }));
    const state = await denied();
    state.searchParams.set('state', 'x'.repeat(43));
    state.searchParams.set('login_redirect_url', 'https://evil.example/');
    const issuer = await denied();
    issuer.searchParams.set('iss', 'https://accounts.evil.example');
    const other = (await denied()).href.replace('/oauth/google/', '/oauth/github/');
    for (const href of [state.href, issuer.href, other]) {
      const reply = await visitor.get(href);
      expect([reply.status, reply.headers.get('location')]).toEqual([400, null]);
      expect(await reply.text()).toContain('oauth_flow_callback_error');
    }
  });
});
