import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { DEMO_PROJECT, type Project } from '#provider/project/settings/project.ts';
import { pkceWarning } from '#provider/base/warnings.ts';
import { basic, EITHER_DATABASE, type Fields, PUBLIC_TOKEN, WITHOUT_PKCE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { CHALLENGE, VERIFIER } from '../kit/oauth-harness.ts';
import { fromServer, MINUTES, uniqueEmail } from './attacker.ts';

const PASSWORD = 'correct horse battery staple';
const LINKS = 'pkce_required_for_email_magic_links';
const RESETS = 'pkce_required_for_password_resets';

it('a project file without PKCE settings requires PKCE, and turning it off logs a warning with the name', () => {
  expect(pkceWarning(DEMO_PROJECT)).toBeNull();
  expect(pkceWarning({ ...DEMO_PROJECT, [LINKS]: false, pkce_required_for_oauth: false })).toContain(
    'turns off pkce_required_for_email_magic_links, pkce_required_for_oauth:',
  );
});

describe.each(EITHER_DATABASE)('links without PKCE, on %s', (_, url) => {
  const provider = suiteProvider(url);

  /** The same server, with other settings. */
  const under = (settings: Partial<Project>) => {
    const app = createApp({ ...provider.services, project: { ...DEMO_PROJECT, ...WITHOUT_PKCE, ...settings } });
    return async (path: string, body: Fields, method = 'POST') => {
      const reply = await app.request(`/sdk/v1${path}`, {
        method,
        headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      });
      return { status: reply.status, body: (await reply.json()) as Fields };
    };
  };
  const tokens = async (to: string) => {
    const message = await provider.newest(to);
    const links = (message?.text.match(/http\S+/gu) ?? []).map((link) => new URL(link).searchParams);
    return links.map((query) => query.get('token') ?? '');
  };
  async function known(): Promise<string> {
    const email = uniqueEmail('pkce');
    await provider.signIn(email);
    return email;
  }

  it.each([
    ['links', { [LINKS]: true }, true],
    ['resets', { [RESETS]: true }, true],
    ['neither', {}, false],
  ])('a reset mail needs a challenge where %s need one, and the bootstrap says so', async (_name, settings, needed) => {
    const call = under(settings);
    const { body } = await call(`/projects/bootstrap/${PUBLIC_TOKEN}`, {}, 'GET');
    expect(body['data'][RESETS]).toBe(needed);
    const email = await known();
    const bare = await call('/passwords/email/reset/start', { email });
    expect(bare.body['error_type']).toBe(needed ? 'pkce_code_challenge_required' : undefined);
    expect((await call('/passwords/email/reset/start', { email, code_challenge: CHALLENGE })).status).toBe(200);
    for (const token of await tokens(email)) {
      const stolen = await call('/magic_links/authenticate', { token, ...MINUTES });
      expect(stolen.body['error_type']).toBe('pkce_expected_code_verifier');
      const used = await call('/magic_links/authenticate', { token, code_verifier: VERIFIER, ...MINUTES });
      expect(used.status).toBe(200);
    }
  });

  it.each(['a login link', 'the login link of a reset', 'the link of a reset', 'a new password'])(
    '%s that was sent without a challenge is refused once the project requires one',
    async (name) => {
      const email = await known();
      const [open, strict] = [under({}), under({ [LINKS]: true })];
      const isLink = name === 'a login link';
      await open(isLink ? '/magic_links/email/login_or_create' : '/passwords/email/reset/start', { email });
      const [first = '', second = ''] = await tokens(email);
      const token = name === 'the login link of a reset' ? second : first;
      const path = name === 'a new password' ? '/passwords/email/reset' : '/magic_links/authenticate';
      const body = { token, ...(name === 'a new password' ? { password: PASSWORD } : {}), ...MINUTES };
      expect((await strict(path, body)).body['error_type']).toBe('unable_to_auth_magic_link');
      expect((await open(path, body)).status).toBe(200);
    },
  );

  it('a link of before this was recorded still works', async () => {
    const email = await known();
    await under({})('/magic_links/email/login_or_create', { email });
    await provider.services.db.updateTable('magic_links').set({ began_on_page: null }).execute();
    const [token] = await tokens(email);
    expect((await under({ [LINKS]: true })('/magic_links/authenticate', { token, ...MINUTES })).status).toBe(200);
  });

  it.each([
    ['/magic_links/email/login_or_create', (email: string) => ({ email })],
    ['/magic_links/email/send', (email: string) => ({ email })],
    ['/magic_links/email/invite', () => ({ email: uniqueEmail('invited') })],
    ['/passwords/email/reset/start', (email: string) => ({ email })],
  ])('what the app’s own server sends by %s opens in any browser', async (path, fields) => {
    const given = fields(await known());
    expect((await fromServer(provider, path, given)).status).toBe(200);
    const strict = under({ [LINKS]: true, [RESETS]: true });
    for (const token of await tokens(given.email)) {
      expect((await strict('/magic_links/authenticate', { token, ...MINUTES })).status).toBe(200);
    }
  });
});
