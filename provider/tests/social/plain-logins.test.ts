import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#provider/base/platform.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { foreignVisitor, HERE, PRODUCTION } from '../kit/foreign-visitor.ts';
import { ForeignProviders } from '../kit/foreign-provider.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';
import { BEARER, PLAIN_PROVIDERS, type DocumentedProvider } from '../kit/plain-providers.ts';

describe('logins at providers without OpenID Connect', () => {
  const foreign = new ForeignProviders();
  let provider: Provider;
  /** What the providers answer, by address, and what was sent to them. */
  const replies = new Map<string, () => Response>();
  const sent = new Map<string, { readonly headers: Headers; readonly form: URLSearchParams; readonly url: URL }>();
  beforeAll(async () => {
    const client = { client_id: 'our-client', client_secret: 'our:secret' };
    const oauth_clients = Object.fromEntries(Object.keys(PLAIN_PROVIDERS).map((name) => [name, client]));
    provider = await makeProvider(ANY_DATABASE, {
      clock: systemClock,
      dev: false,
      project: projectFrom({ ...PRODUCTION, oauth_clients }, false),
      socialFetch: async (input, init) => {
        const request = new Request(input, init);
        const { origin, pathname } = new URL(request.url);
        const url = new URL(request.url);
        sent.set(origin + pathname, { headers: request.headers, form: new URLSearchParams(await request.text()), url });
        return replies.get(origin + pathname)?.() ?? new Response(null, { status: 404 });
      },
    });
  });
  afterAll(() => provider.close());

  function standIn(
    { token, reply = BEARER, documents }: DocumentedProvider,
    changes: Readonly<Record<string, object>> = {},
  ) {
    replies.set(token, () => Response.json(reply));
    for (const [url, json] of Object.entries({ ...documents, ...changes })) replies.set(url, () => Response.json(json));
  }

  /** A whole login: the provider's page sends the browser back at once. */
  async function logIn(name: string, answer: Readonly<Record<string, string>> = { code: 'their-code' }) {
    const visitor = foreignVisitor(provider, foreign);
    const asked = await visitor.leave(name);
    const back = new URL(asked.searchParams.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ ...answer, state: asked.searchParams.get('state') ?? '' }).toString();
    const end = new URL((await visitor.open(back.href)).headers.get('location') ?? '');
    const token = end.searchParams.get('token');
    const body = { token, session_duration_minutes: 30 };
    return { asked, end, reply: token === null ? null : (await provider.post('/oauth/authenticate', body)).data };
  }

  describe.each(Object.entries(PLAIN_PROVIDERS))('%s', (name, documented) => {
    it('is called as its documents describe, and returns the person', async () => {
      standIn(documented);
      const { asked, reply } = await logIn(name);
      expect(asked.origin + asked.pathname).toBe(documented.page);
      const isKey = documented.client === 'client_key';
      const challenge = asked.searchParams.get('code_challenge');
      expect(Object.fromEntries(asked.searchParams)).toEqual({
        response_type: 'code',
        [isKey ? 'client_key' : 'client_id']: 'our-client',
        redirect_uri: `${HERE}/v1/public/oauth/${name}/callback`,
        scope: documented.scope,
        state: expect.stringMatching(/^[\w-]{43}$/u),
        ...(documented.pkce ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
      });
      const { form, headers } = sent.get(documented.token) ?? { form: new URLSearchParams(), headers: new Headers() };
      expect(Object.fromEntries(form)).toEqual({
        grant_type: 'authorization_code',
        code: 'their-code',
        redirect_uri: `${HERE}/v1/public/oauth/${name}/callback`,
        [isKey ? 'client_key' : 'client_id']: 'our-client',
        ...(documented.client === 'basic' ? {} : { client_secret: 'our:secret' }),
        ...(documented.pkce ? { code_verifier: expect.any(String) } : {}),
      });
      if (documented.pkce) expect(sha256(form.get('code_verifier') ?? '')).toBe(challenge);
      const basic = documented.client === 'basic' ? `Basic ${btoa('our-client:our%3Asecret')}` : null;
      expect(headers.get('authorization')).toBe(basic);
      for (const url of Object.keys(documented.documents)) {
        expect(sent.get(url)?.headers.get('authorization')).toBe('Bearer their-token');
      }
      expect(reply).toMatchObject({
        provider_type: name,
        provider_subject: documented.subject,
        profile_picture_url: documented.picture ?? '',
        user: { emails: documented.trusted === null ? [] : [{ email: documented.trusted, verified: true }] },
        provider_values: { access_token: 'their-token', id_token: '' },
      });
    });

    it('is not believed without the id of the account', async () => {
      standIn(documented, Object.fromEntries(Object.keys(documented.documents).map((url) => [url, {}])));
      expect((await logIn(name)).end.searchParams.get('error')).toBe('server_error');
    });
  });

  it.each<[string, string, object]>([
    ['github', 'https://api.github.com/user/emails', [{ email: 'a@example.com', primary: true, verified: false }]],
    ['github', 'https://api.github.com/user/emails', [{ email: 'b@example.com', primary: false, verified: true }]],
    [
      'discord',
      'https://discord.com/api/users/@me',
      { id: '7', username: 'n', verified: false, email: 'c@example.com', avatar: null },
    ],
    [
      'bitbucket',
      'https://api.bitbucket.org/2.0/user/emails',
      { values: [{ email: 'd@example.com', is_primary: true, is_confirmed: false }] },
    ],
  ])('%s is not believed an address that it did not verify', async (name, url, json) => {
    const documented = PLAIN_PROVIDERS[name];
    if (documented === undefined) throw new Error(name);
    standIn(documented, { [url]: json });
    // The account is one that no other test has.
    const own = Object.entries(documented.documents).find(([each]) => each !== url)?.[0];
    if (own !== undefined)
      standIn(documented, { [url]: json, [own]: { id: JSON.stringify(json).length, uuid: '{d}' } });
    expect((await logIn(name)).reply).toMatchObject({ user: { emails: [] } });
  });

  it('reads an empty error beside a code as none', async () => {
    const github = PLAIN_PROVIDERS['github'];
    if (github === undefined) throw new Error('github');
    standIn(github);
    const answer = { code: 'their-code', error: '', error_description: '', iss: '' };
    expect((await logIn('github', answer)).reply).toMatchObject({ provider_type: 'github' });
  });

  it('asks Twitter for the address only where the app may read it', async () => {
    const twitter = PLAIN_PROVIDERS['twitter'];
    if (twitter === undefined) throw new Error('twitter');
    standIn(twitter);
    await logIn('twitter');
    const fields = () => sent.get('https://api.x.com/2/users/me')?.url.searchParams.get('user.fields');
    expect(fields()).toBe('profile_image_url,confirmed_email');
    standIn({ ...twitter, reply: { ...BEARER, scope: 'users.read tweet.read' } });
    await logIn('twitter');
    expect(fields()).toBe('profile_image_url');
  });

  it.each<[string, object, number, string, string]>([
    ['github', { error: 'bad_verification_code' }, 200, 'server_error', '(bad_verification_code)'],
    ['facebook', { error: { message: 'Evil words', code: 100 } }, 400, 'server_error', 'refused the request"'],
    ['figma', { error: true, status: 401, message: 'Evil words' }, 401, 'server_error', 'refused the request"'],
    ['discord', { error: 'invalid_client' }, 401, 'server_error', '(invalid_client): compare client_id'],
    ['amazon', {}, 503, 'temporarily_unavailable', 'api.amazon.com answered 503'],
  ])('%s may refuse the code', async (name, json, status, error, told) => {
    replies.set(PLAIN_PROVIDERS[name]?.token ?? '', () => Response.json(json, { status }));
    provider.logged.length = 0;
    const { end } = await logIn(name);
    const lines = provider.logged.filter((line) => line.startsWith('warning: '));
    expect(end.searchParams.get('error')).toBe(error);
    expect(lines).toEqual([expect.stringContaining(told)]);
    expect(lines.join()).not.toContain('Evil');
  });

  it('a denial of each provider is one', async () => {
    const denied = async (name: string, error: string) => (await logIn(name, { error })).end.searchParams.get('error');
    expect(await denied('facebook', 'access_denied')).toBe('access_denied');
    expect(await denied('github', 'redirect_uri_mismatch')).toBe('server_error');
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
