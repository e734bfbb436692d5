import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, makeProvider, MINUTE, type Provider } from '../kit/harness.ts';
import { browser } from '../kit/oauth-harness.ts';

const OPTIONS = {
  login_redirect_url: 'http://localhost:3000/in',
  signup_redirect_url: 'http://localhost:3000/up',
};

describe.each(EITHER_DATABASE)('social logins that end without a token on %s', (_, url) => {
  let provider: Provider;
  let visitor: ReturnType<typeof browser>;
  beforeAll(async () => {
    provider = await makeProvider(url);
    visitor = browser(provider);
  });
  afterAll(() => provider.close());

  it('redirects a denial to the registered login URL, with the refusal and without a token', async () => {
    const login_redirect_url = 'http://localhost:3000/in?x=1';
    const back = await visitor.callback('github', { deny: 'yes' }, { ...OPTIONS, login_redirect_url });
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

  /** The callback of a login whose person went on, with what the provider answers instead of its code. */
  const answered = async (answer: Readonly<Record<string, string>>): Promise<URL> => {
    const url = new URL(await visitor.callback('github', { email: 'ada@example.com' }, OPTIONS));
    url.searchParams.delete('code');
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
    return url;
  };
  const endOf = async (url: URL): Promise<Record<string, string>> => {
    const reply = await visitor.get(url.href);
    const { origin, pathname, searchParams } = new URL(reply.headers.get('location') ?? 'about:blank');
    return { status: String(reply.status), at: origin + pathname, ...Object.fromEntries(searchParams) };
  };
  const ending = (error: string, error_description: string) => ({
    status: '303',
    at: 'http://localhost:3000/in',
    error,
    error_description,
    provider_type: 'github',
  });
  const FAILED = ending('server_error', 'The login with GitHub did not work.');

  it.each([
    ['server_error', FAILED],
    [
      'temporarily_unavailable',
      ending('temporarily_unavailable', 'The login with GitHub is not possible at the moment.'),
    ],
    ['invalid_scope', FAILED],
    ['constructor', FAILED],
    ['', FAILED],
  ])('leads back to the registered address of the login when the provider answers %j', async (error, expected) => {
    expect(await endOf(await answered({ error, error_description: 'Evil words' }))).toEqual(expected);
  });

  it('leads back to the app when the callback has neither a code nor an error, or a code that the provider refuses', async () => {
    expect(await endOf(await answered({}))).toEqual(FAILED);
    expect(await endOf(await answered({ code: 'x'.repeat(43) }))).toEqual(FAILED);
  });

  it('leads back to the app without a token when the login took too long', async () => {
    const back = new URL(await visitor.callback('github', { email: 'ada@example.com' }, OPTIONS));
    provider.clock.time += 31 * MINUTE;
    expect(await endOf(back)).toEqual(FAILED);
  });

  it.each(['login_redirect_url', 'signup_redirect_url'])(
    'leads nobody to a %s that is no longer registered',
    async (field) => {
      const back = new URL(await visitor.callback('github', { email: `${field}@example.com` }, OPTIONS));
      const once = { [field]: 'https://once-registered.example/in' };
      await provider.services.db.updateTable('oauth_flows').set(once).execute();
      const reply = await visitor.get(back.href);
      expect([reply.status, reply.headers.get('location')]).toEqual([400, null]);
    },
  );

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
