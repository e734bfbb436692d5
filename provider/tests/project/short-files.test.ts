import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readProject } from '#provider/operation/options/project-file.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { FieldError } from '#provider/project/readers/readers.ts';

const PAGE = 'https://app.example.com/welcome';
const SHORT = { origins: ['https://app.example.com'], redirect_urls: [PAGE] };

/** All mistakes of a project file as on the internet. */
function mistakesOf(json: object): readonly string[] {
  try {
    projectFrom(json, false);
    return [];
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return error.all.map(({ path, must }) => `${path} must be ${must}`);
  }
}

describe('a short project file', () => {
  it('leads where its first page is', () => {
    const { default_login_redirect_url, default_signup_redirect_url, default_reset_password_redirect_url } =
      projectFrom(SHORT, false);
    expect([default_login_redirect_url, default_signup_redirect_url, default_reset_password_redirect_url]).toEqual([
      PAGE,
      PAGE,
      PAGE,
    ]);
    const other = 'https://app.example.com/in';
    const given = { ...SHORT, redirect_urls: [PAGE, other], default_login_redirect_url: other };
    expect(projectFrom(given, false).default_signup_redirect_url).toBe(other);
    // With --dev every page of this machine is registered, so the demo's are good.
    expect(projectFrom(SHORT).default_login_redirect_url).toBe('http://localhost:3000/');
  });

  it.each([
    [{}, ['redirect_urls must be of one page of yours or more: links and social logins lead there']],
    [{ ...SHORT, nmae: 'Shop' }, ['nmae must be left out: there is no such field. Did you mean name?']],
    [
      { origins: SHORT.origins, redirect_url: [PAGE] },
      ['redirect_url must be left out: there is no such field. Did you mean redirect_urls?'],
    ],
    [{ ...SHORT, colour: 1 }, ['colour must be left out: there is no such field']],
    [{ ...SHORT, default_login_redirect_url: 'https://x.example/' }, ['default_login_redirect_url must be one of redirect_urls']], // prettier-ignore
    [
      { ...SHORT, name: '', link_max_minutes: 1, webhooks: [{ url: 'https://10.0.0.1/', secret: 's' }], session_cookies: { http_only: true } }, // prettier-ignore
      [
        'name must be 1 to 120 visible characters',
        expect.stringMatching(/^link_max_minutes must be a whole number/u),
        expect.stringMatching(/^webhooks\[0\]\.secret must/u),
        'session_cookies.domain must be given when http_only is true',
        expect.stringMatching(/^webhooks\[0\]\.url must be https at a public address/u),
      ],
    ],
    [
      {
        ...SHORT,
        clients: [{ clientid: 'a' }, { client_id: 'b', client_type: 'native', name: 'B', redirect_uris: [] }],
      },
      [
        'clients[0].clientid must be left out: there is no such field. Did you mean client_id?',
        expect.stringMatching(/^clients\[0\]\.client_type /u),
        expect.stringMatching(/^clients\[0\]\.name /u),
        expect.stringMatching(/^clients\[1\]\.client_type must be one of public, confidential/u),
      ],
    ],
    [
      { ...SHORT, limits: { sends_per_adress: { max: 1, seconds: 1 }, sends_per_network: { max: 0, seconds: 0 } } },
      [
        expect.stringMatching(/^limits\.sends_per_adress must be one of .*\. Did you mean sends_per_address\?$/u),
        expect.stringMatching(/^limits\.sends_per_network\.max /u),
        expect.stringMatching(/^limits\.sends_per_network\.seconds /u),
      ],
    ],
    [
      {
        ...SHORT,
        role_assignments: [
          { email: 'a@b.example', roles: ['a'] },
          { email: 'c@b.example', roles: ['c'] },
        ],
      },
      ['role_assignments[0].roles[0] must be a role of rbac_policy', 'role_assignments[1].roles[0] must be a role of rbac_policy'], // prettier-ignore
    ],
    [
      {
        ...SHORT,
        session_cookies: {
          http_only: true,
          domain: 'example.com',
          names: { token: 'a', jwt: 'a' },
          device_bound: 'off',
        },
        issuer: 'https://auth.example.org',
        origins: ['https://app.example.com', 'http://example.com', 'https://example.org'],
      },
      [
        'session_cookies.names.jwt must be other than names.token, and than names.token with _hint',
        'session_cookies.domain must be the host of issuer or a parent of it, and issuer an https address',
        'origins[1] must be an https origin on a host of session_cookies.domain',
        'origins[2] must be an https origin on a host of session_cookies.domain',
      ],
    ],
    [
      { ...SHORT, session_cookies: { http_only: true, names: { token: 'a', jwt: 'a_hint' } } },
      [
        'session_cookies.names.jwt must be other than names.token, and than names.token with _hint',
        'session_cookies.domain must be given when http_only is true',
      ],
    ],
    [
      {
        ...SHORT,
        oauth_providers: [],
        mfa: {
          policy: { required_for_roles: ['a', 'b'] },
          factors: ['recovery_code'],
          trusted_providers: [{ provider: 'x' }, { provider: 'y', amr: ['mfa'] }],
        },
      },
      [
        expect.stringMatching(/^mfa\.factors must be with one of totp/u),
        'mfa.trusted_providers[0].provider must be a social provider of the project',
        'mfa.trusted_providers[0].amr must be not empty, unless acr has a value',
        'mfa.trusted_providers[1].provider must be a social provider of the project',
        'mfa.policy.required_for_roles[0] must be a role of rbac_policy',
        'mfa.policy.required_for_roles[1] must be a role of rbac_policy',
      ],
    ],
    [
      {
        ...SHORT,
        oauth_clients: {
          google: { client_id: '' },
          'my-sso': { client_id: 'a b', secret: 'x' },
          github: { client_id: 'a', client_secret: 'c' },
          X: {},
        },
      },
      [
        'oauth_clients.google.client_id must be 1 to 255 visible characters',
        expect.stringMatching(/^oauth_clients\.google\.client_secret must be/u),
        expect.stringMatching(/^oauth_clients\.my-sso\.secret must be left out/u),
        'oauth_clients.my-sso.client_id must be 1 to 255 visible characters',
        expect.stringMatching(/^oauth_clients\.my-sso\.client_secret must be/u),
        'oauth_clients.my-sso.issuer must be given, because this provider is not built in',
        'oauth_clients must be an object whose names have 2 to 32 lower-case letters, digits and hyphens',
      ],
    ],
    [
      {
        ...SHORT,
        oauth_clients: { one: { client_id: 'a', client_secret: 'b', issuer: 'http://a.example' } },
      },
      [
        'issuer must be given with oauth_clients, because providers compare the redirect URL exactly',
        'oauth_clients.one.issuer must be an https URL',
      ],
    ],
    [
      { ...SHORT, sms_budgets: { us: 1, DE: -1, FR: 1.5 } },
      [
        'sms_budgets.us must be named by an ISO 3166 code such as US',
        expect.stringMatching(/^sms_budgets\.DE must be a whole number/u),
        expect.stringMatching(/^sms_budgets\.FR must be a whole number/u),
      ],
    ],
    [
      {
        ...SHORT,
        clients: [
          { client_id: 'a', client_type: 'public', name: 'A', redirect_uris: [], pkce_required: false },
          { client_id: 'b', client_type: 'public', name: 'B', redirect_uris: [], scopes: ['x', 'openid', 'y'] },
        ],
      },
      [
        'clients[0].pkce_required must be true or left out for a public client',
        'clients[0].redirect_uris must be of one URL or more',
        'clients[1].redirect_uris must be of one URL or more',
      ],
    ],
    [
      { ...SHORT, role_assignments: [{ roles: ['a'] }, { email: 'a@b.example', user_id: 'u', roles: ['a'] }] },
      [
        'role_assignments[0] must be given an email or a user_id, not both',
        'role_assignments[1] must be given an email or a user_id, not both',
      ],
    ],
    [
      {
        ...SHORT,
        rbac_policy: {
          resources: [{ resource_id: 'r', actions: ['read'] }],
          roles: [
            {
              role_id: 'x',
              permissions: [
                { resource_id: 's', actions: ['read'] },
                { resource_id: 'r', actions: ['write', 'read', 'drop'] },
              ],
            },
          ],
          scopes: [{ scope: 'openid', description: 'x' }],
        },
      },
      [
        'rbac_policy.roles[0].permissions[0].resource_id must be one of rbac_policy.resources',
        'rbac_policy.roles[0].permissions[1].actions[0] must be an action of r, or *',
        'rbac_policy.roles[0].permissions[1].actions[2] must be an action of r, or *',
        'rbac_policy.scopes[0].scope must be other than the standard scope openid',
      ],
    ],
    [
      { ...SHORT, webhooks: [1, 2, 3].map(() => ({ url: 'https://a.example/', secret: `whsec_${'A'.repeat(32)}` })) },
      ['webhooks[1].url must be unique', 'webhooks[2].url must be unique'],
    ],
    [
      { ...SHORT, captcha_settings: { enabled: true, provider: 'turnstile', min_score: 1 } },
      [
        'captcha_settings.siteKey must be given when captcha is enabled',
        'captcha_settings.secret must be given with captcha_settings.provider',
        'captcha_settings.min_score must be left out: only reCAPTCHA Enterprise has scores',
      ],
    ],
  ])('has each mistake of %j named at once, and none of a field that is neither there nor needed', (json, mistakes) => {
    expect(mistakesOf(json)).toEqual(mistakes);
  });

  it('hides no mistake between fields behind one within a field, unless that field is a part of both', () => {
    const strange = { ...SHORT, nmae: 'x', idp: { authorization_url: 'https://x.example/' } };
    expect(mistakesOf(strange)).toEqual([
      'nmae must be left out: there is no such field. Did you mean name?',
      'idp.authorization_url must be on one of origins',
    ]);
    expect(mistakesOf({ ...strange, origins: ['https://x.example/path'] })).toEqual([
      'nmae must be left out: there is no such field. Did you mean name?',
      expect.stringMatching(/^origins\[0\] /u),
    ]);
  });

  it('suggests nothing for an odd name, which may be a secret', () => {
    expect(mistakesOf({ ...SHORT, 'name-9f2c': 1 })).toEqual([
      '(an odd name) must be left out: there is no such field',
    ]);
  });
});

describe('a start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-short-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('prints every mistake with its line, in the order of the file', () => {
    const file = join(folder, 'portico.jsonc');
    writeFileSync(file, '{\n  "link_max_minutes": 1,\n  "orgins": [],\n  "name": "",\n}\n');
    const at = `${file}: in the project file,`;
    expect(() => readProject(file, null, false)).toThrow(
      [
        `${at} link_max_minutes must be a whole number from 5 to 10080 (line 2)`,
        `${at} orgins must be left out: there is no such field. Did you mean origins? (line 3)`,
        `${at} name must be 1 to 120 visible characters (line 4)`,
        `${at} redirect_urls must be of one page of yours or more: links and social logins lead there`,
      ].join('\n'),
    );
  });

  it('prints the fields that are there twice beside the other mistakes', () => {
    const file = join(folder, 'twice.jsonc');
    writeFileSync(
      file,
      `{\n  "name": "A",\n  "link_max_minutes": 1,\n  "name": "B",\n  "redirect_urls": ["${PAGE}"],\n  "idp": { "logout_url": null,\n    "logout_url": null },\n}\n`,
    );
    const at = `${file}: in the project file,`;
    const mistakes = [
      `${at} link_max_minutes must be a whole number from 5 to 10080 (line 3)`,
      `${at} name is given twice (line 4)`,
      `${at} idp.logout_url is given twice (line 7)`,
    ];
    let message = '';
    try {
      readProject(file, null, false);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toBe(mistakes.join('\n'));
  });
});
