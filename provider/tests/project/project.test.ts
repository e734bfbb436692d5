import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PROJECT, projectFrom, type Project } from '#provider/project/settings/project.ts';
import { ANY_DATABASE, makeProvider, PUBLIC_TOKEN, type Provider } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const STARTER = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../project.json', import.meta.url)), 'utf8'),
) as Readonly<Record<string, unknown>>;

const CLIENT = {
  client_id: 'app',
  client_type: 'public',
  name: 'App',
  redirect_uris: ['https://app.example/callback'],
};
const POLICY = {
  roles: [{ role_id: 'editor', permissions: [{ resource_id: 'documents', actions: ['write'] }] }],
  resources: [{ resource_id: 'documents', actions: ['read', 'write'] }],
};
const MOVING = {
  profile_id: 'old',
  issuer: 'https://old.example',
  audience: 'app',
  jwks_uri: 'https://127.0.0.1/jwks.json',
  external_id_claim: 'sub',
  migration_ends_at: '2027-03-31T00:00:00Z',
};
const INSIDE = { allow_loopback: false };
const SIGNING = 'whsec_c2VjcmV0LW9mLXRoZS1wYXNzd29yZC1jaGVjaw==';
const PROFILE = { profile_id: 'p', issuer: 'https://issuer.example', audience: 'here' };

describe('a project file', () => {
  it('overrides the demo project', () => {
    expect(projectFrom({})).toEqual(DEMO_PROJECT);
    expect(projectFrom({ name: 'Mine', pkce_required_for_email_magic_links: true, cname_domain: null })).toEqual({
      ...DEMO_PROJECT,
      name: 'Mine',
      pkce_required_for_email_magic_links: true,
    });
  });

  it('takes the logo of an app inside of its URL, up to 24 KiB, and the word of the operator for an app of others', () => {
    const logo = (size: number) => `data:image/png;base64,${'A'.repeat(size)}`;
    const read = (fields: object) => projectFrom({ clients: [{ ...CLIENT, ...fields }] }).clients[0];
    expect(read({ logo_url: logo(32_768), verified: true })).toMatchObject({ logo_url: logo(32_768), verified: true });
    expect(read({})).toMatchObject({ logo_url: null, verified: false });
    expect(() => read({ logo_url: logo(40_000) })).toThrow('logo_url must be');
  });

  it('sends resets where logins go, unless it says otherwise', () => {
    const urls = { default_login_redirect_url: 'http://localhost:1/a' };
    expect(projectFrom(urls).default_reset_password_redirect_url).toBe('http://localhost:1/a');
    const other = { ...urls, default_reset_password_redirect_url: 'http://localhost:1/b' };
    expect(projectFrom(other).default_reset_password_redirect_url).toBe('http://localhost:1/b');
  });

  it('that is shipped shows every field, and changes no default but apps, roles and profiles', () => {
    const { clients, rbac_policy, role_assignments, trusted_auth_token_profiles, limits, ...rest } =
      projectFrom(STARTER);
    expect(Object.keys(STARTER).sort()).toEqual(Object.keys(DEMO_PROJECT).sort());
    expect({ ...DEMO_PROJECT, ...rest }).toEqual(DEMO_PROJECT);
    expect(clients.map(({ name }) => name)).toEqual(['Weekly Planner', 'Planner', 'Portico Dashboard']);
    expect(rbac_policy.roles.map(({ role_id }) => role_id)).toEqual(['admin', 'editor', 'viewer']);
    expect(role_assignments).toHaveLength(3);
    expect(trusted_auth_token_profiles).toHaveLength(1);
    expect(limits.sendsPerAddress).toEqual({ max: 10, windowMs: 600_000 });
  });

  it.each([
    [[], 'a JSON object'],
    [{ nmae: 'x' }, 'nmae must be left out: there is no such field'],
    [{ name: 7 }, 'name must be a string'],
    [{ allow_loopback: 'yes' }, 'allow_loopback must be a boolean'],
    [{ origins: 'https://example.com' }, 'origins must be an array of strings'],
    [{ origins: ['https://example.com/'] }, 'origins[0] must be an origin such as https://example.com'],
    [{ redirect_urls: ['https://a.example/', 'javascript:1'] }, 'redirect_urls[1] must be an http or https URL'],
    [
      { origins: ['https://a.example', 'https://*.a.example'] },
      'origins[1] must be without *: addresses are compared exactly, so list each one',
    ],
    [{ redirect_urls: ['https://*.a.example/'] }, 'redirect_urls[0] must be without *'],
    [{ redirect_urls: ['https://a.example/*'] }, 'redirect_urls[0] must be without *'],
    [{ issuer: 'https://*.a.example' }, 'issuer must be an origin such as https://example.com'],
    [{ cname_domain: '*.a.example' }, 'cname_domain must be a host name'],
    [
      { clients: [{ ...CLIENT, redirect_uris: ['https://a.example/*'] }] },
      'clients[0].redirect_uris[0] must be without *',
    ],
    [
      { project_id: 'public-token-test-1' },
      'project_id must be the id of the project, not its public token or a secret',
    ],
    [{ project_id: 'secret-test-1' }, 'project_id must be the id of the project, not its public token or a secret'],
    [{ public_token: 'mine' }, 'public_token'],
    [{ public_token: 'public-token-a:b' }, 'public_token'],
    [{ default_login_redirect_url: 'https://example.com/' }, 'default_login_redirect_url must be one of redirect_urls'],
    [{ allow_loopback: false }, 'redirect_urls must be of one page of yours or more'],
    [{ password_strength_policy: 'strict' }, 'password_strength_policy must be one of zxcvbn, luds, none'],
    [{ luds_complexity: 5 }, 'luds_complexity must be a whole number from 0 to 4'],
    [{ captcha_settings: { enabled: true } }, 'captcha_settings.siteKey must be given'],
    [{ captcha_settings: { on: true } }, 'captcha_settings.on must be left out'],
    [{ dfp_protected_auth_mode: 'observation' }, 'dfp_protected_auth_mode must be one of DECISIONING, OBSERVATION'],
    [{ sms_countries: 'US' }, "sms_countries must be 'all' or an array"],
    [{ sms_countries: ['US', 'usa'] }, 'sms_countries[1] must be an ISO 3166 code'],
    [{ oauth_providers: ['google', 'myspace'] }, 'oauth_providers[1] must be one of google,'],
    [{ cname_domain: 'https://x.example' }, 'cname_domain must be a host name'],
    [{ slug_pattern: '[' }, 'slug_pattern must be a regular expression'],
    [{ limits: { sends: { max: 1, seconds: 1 } } }, 'limits.sends must be one of sends_per_address,'],
    [{ limits: { sends_per_address: { max: 0, seconds: 1 } } }, 'limits.sends_per_address.max must be a whole number'],
    [{ clients: {} }, 'clients must be an array'],
    [{ clients: [CLIENT, {}] }, 'clients[1].client_id must be a string'],
    [{ clients: [CLIENT, CLIENT] }, 'clients[1].client_id must be unique'],
    [{ clients: [{ ...CLIENT, client_type: 'native' }] }, 'clients[0].client_type must be one of public, confidential'],
    [
      { clients: [{ ...CLIENT, client_secret_hash: 'x'.repeat(43) }] },
      'clients[0].client_secret_hash must be left out',
    ],
    [{ idp: { authorization_url: 'https://elsewhere.example/authorize' } }, 'idp.authorization_url must be on one of'],
    [{ idp: { authorization_url: 'http://example.com/authorize' } }, 'idp.authorization_url must be an https URL'],
    [{ idp: { logout_url: 'http://localhost/#bye' } }, 'idp.logout_url must be an https URL'],
    [{ clients: [{ ...CLIENT, verified: 'yes' }] }, 'clients[0].verified must be a boolean'],
    [{ clients: [{ ...CLIENT, logo_url: 'data:image/svg+xml,<svg/>' }] }, 'clients[0].logo_url must be an https URL'],
    [{ clients: [{ ...CLIENT, redirect_uris: [] }] }, 'clients[0].redirect_uris must be of one URL or more'],
    [{ clients: [{ ...CLIENT, redirect_uris: ['http://app.example/'] }] }, 'clients[0].redirect_uris[0] must be'],
    [{ clients: [{ ...CLIENT, redirect_uris: ['https://a.example/#x'] }] }, 'clients[0].redirect_uris[0] must be'],
    [{ clients: [{ ...CLIENT, scopes: ['openid', 'nothing'] }] }, 'clients[0].scopes[1] must be a scope of the'],
    [{ clients: [{ ...CLIENT, name: 'G\u202eoogle' }] }, 'clients[0].name must be 1 to 120 visible characters'],
    [{ rbac_policy: { roles: [{}] } }, 'rbac_policy.roles[0].role_id must be a string'],
    [{ rbac_policy: { ...POLICY, resources: [] } }, 'rbac_policy.roles[0].permissions[0].resource_id must be one of'],
    [
      { rbac_policy: { ...POLICY, resources: [{ resource_id: 'documents', actions: ['read'] }] } },
      'rbac_policy.roles[0].permissions[0].actions[0] must be an action of documents, or *',
    ],
    [
      { rbac_policy: { ...POLICY, scopes: [{ scope: 'openid', description: '' }] } },
      'rbac_policy.scopes[0].scope must be other than the standard scope',
    ],
    [
      { role_assignments: [{ email: 'a@b.example', roles: ['editor'] }] },
      'role_assignments[0].roles[0] must be a role',
    ],
    [{ rbac_policy: POLICY, role_assignments: [{ roles: ['editor'] }] }, 'role_assignments[0] must be given an email'],
    [
      { trusted_auth_token_profiles: [{ ...PROFILE, jwks: { keys: [{ kty: 'oct', k: 'a' }] } }] },
      'jwks.keys[0] must be',
    ],
    [{ trusted_auth_token_profiles: [{ ...PROFILE, public_key: 'x' }] }, '[0].public_key must be a public key as PEM'],
    [{ trusted_auth_token_profiles: [{ ...PROFILE, jwks: { keys: [] } }] }, '[0].email_domains must be given'],
    [{ trusted_auth_token_profiles: [{ ...MOVING, jwks: { keys: [] } }] }, '[0] must be given one of jwks, jwks_uri'],
    [{ trusted_auth_token_profiles: [{ ...MOVING, audience: null }] }, '[0].audience must be given, or claims'],
    [{ trusted_auth_token_profiles: [{ ...MOVING, claims: { azp: 'x' } }] }, '[0].claims.azp must be an array'],
    [{ trusted_auth_token_profiles: [{ ...MOVING, user_id_claim: 'x' }] }, '[0].external_id_claim must be left out'],
    [{ trusted_auth_token_profiles: [{ ...MOVING, external_id_claim: null }] }, '[0].external_id_claim must be given'],
    [{ trusted_auth_token_profiles: [{ ...MOVING, email_domains: ['*'] }] }, '[0].email_domains must be left out'],
    [{ trusted_auth_token_profiles: [{ ...MOVING, jwks_uri: null }] }, '[0].migration_ends_at must be left out'],
    [
      { trusted_auth_token_profiles: [{ ...MOVING, migration_ends_at: 'soon' }] },
      '[0].migration_ends_at must be a time',
    ],
    [
      { trusted_auth_token_profiles: [{ ...PROFILE, shared_secret: 'short' }] },
      '[0].shared_secret must be a secret of',
    ],
    [{ trusted_auth_token_profiles: [MOVING], ...INSIDE }, '[0].jwks_uri must be https at a public address'],
    [
      { password_check: { url: 'https://localhost/x', secret: SIGNING }, ...INSIDE },
      'password_check.url must be https',
    ],
    [{ password_check: { url: 'https://a.example/x', secret: 'x' } }, 'password_check.secret must be whsec_'],
    [{ trusted_auth_token_profiles: [{ ...PROFILE, email_domains: ['x'] }] }, '[0].email_domains[0] must be a domain'],
    [{ role_assignments: [{ email: 'a,b@x.example', roles: [] }] }, 'role_assignments[0].email must be an email'],
  ])('is refused with the reason for %j', (json, reason) => {
    expect(() => projectFrom(json)).toThrow(reason);
  });

  it('causes errors that repeat no value', () => {
    const client = { ...CLIENT, client_type: 'confidential', client_secret_hash: 'my-own-secret' };
    expect(() => projectFrom({ clients: [client] })).toThrow(
      /^(?!.*my-own-secret).*client_secret_hash must be a SHA-256/u,
    );
  });
});

describe('bootstrap', () => {
  let provider: Provider;
  const same = {
    vertical: 'B2B',
    cname_domain: 'login.shop.example',
    email_domains: ['shop.example'],
    disable_sdk_watermark: true,
    slug_pattern: '^[a-z]+$',
    create_organization_enabled: true,
    pkce_required_for_email_magic_links: true,
    pkce_required_for_password_resets: true,
    pkce_required_for_oauth: true,
    pkce_required_for_sso: true,
    siwe_required_for_crypto_wallets: true,
    captcha_settings: { enabled: true, siteKey: 'site-key' },
    dfp_protected_auth_enabled: true,
    dfp_protected_auth_mode: 'DECISIONING',
  };
  const password_config = { luds_complexity: 2, luds_minimum_count: 10 };
  const set = { ...same, ...password_config, name: 'My shop', password_strength_policy: 'luds', rbac_policy: POLICY };
  beforeAll(async () => {
    provider = await makeProvider(ANY_DATABASE, { project: projectFrom(set) });
  });
  afterAll(() => provider.close());

  const bootstrap = async (project: Project) => {
    const { data } = await provider.call('GET', `/projects/bootstrap/${project.public_token}`);
    return data;
  };

  it('answers every field as the project file sets it', async () => {
    expect(await bootstrap(provider.services.project)).toMatchObject({
      ...same,
      password_config,
      project_name: 'My shop',
      rbac_policy: { ...POLICY, scopes: [] },
    });
  });

  soakIt('says by counts of zero that passwords have no requirements, and by null that they are judged', async () => {
    for (const [policy, config] of [
      ['none', { luds_complexity: 0, luds_minimum_count: 0 }],
      ['zxcvbn', null],
    ]) {
      const other = await makeProvider(ANY_DATABASE, {
        project: projectFrom({ ...set, password_strength_policy: policy }),
      });
      const { data } = await other.call('GET', `/projects/bootstrap/${other.services.project.public_token}`);
      const { data: judged } = await other.post('/passwords/strength_check', { password: 'x' });
      await other.close();
      expect(data['password_config']).toEqual(config);
      expect([judged['strength_policy'], judged['valid_password']]).toEqual(
        policy === 'none' ? ['luds', true] : ['zxcvbn', false],
      );
    }
  });

  it('reveals nothing that only the server needs', async () => {
    const fields = Object.keys(await bootstrap(provider.services.project));
    expect(fields).not.toContain('clients');
    expect(fields).not.toContain('role_assignments');
  });

  it('answers one project only', async () => {
    const { body } = await provider.call('GET', `/projects/bootstrap/${PUBLIC_TOKEN}x`);
    expect(body['error_type']).toBe('invalid_public_token');
  });
});
