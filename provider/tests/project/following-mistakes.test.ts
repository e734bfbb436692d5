import { describe, expect, it } from 'vitest';
import { projectFrom, type Project } from '#provider/project/settings/project.ts';
import { FieldError } from '#provider/project/readers/readers.ts';

const PAGE = 'https://app.example.com/welcome';
const SHORT = { origins: ['https://app.example.com'], redirect_urls: [PAGE] };
const APP = { client_id: 'app', client_type: 'public', name: 'App', redirect_uris: [PAGE], scopes: ['documents'] };
const COOKIES = { http_only: true, domain: 'example.com' };
const ISSUER = 'https://auth.example.com';
const LOGIN = { client_id: 'a', client_secret: 'b' };
/** What a field of these names must never be, so that the field itself is wrong. */
const WRONG = 7;

/** The fields of all mistakes of a project file on the internet. */
function wrongFields(json: object, dev = false): readonly string[] {
  try {
    projectFrom(json, dev);
    return [];
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return error.all.map(({ path }) => path);
  }
}

/** A field with a mistake of its own, and a right one beside it, which needs its value. */
const NEEDS: readonly (readonly [wrong: keyof Project, beside: Partial<Record<keyof Project, unknown>>])[] = [
  ['origins', { idp: { authorization_url: PAGE } }],
  ['origins', { passkey_domain: 'app.example.com' }],
  ['issuer', { session_cookies: COOKIES }],
  ['issuer', { oauth_clients: { google: LOGIN } }],
  ['redirect_urls', { default_login_redirect_url: PAGE }],
  ['rbac_policy', { role_assignments: [{ email: 'ada@example.com', roles: ['editor'] }] }],
  ['rbac_policy', { sign_up: { roles: ['editor'] } }],
  ['rbac_policy', { clients: [APP] }],
  ['rbac_policy', { resources: [{ resource: 'https://api.example.com', scopes: ['documents'] }] }],
  ['rbac_policy', { agents: { scopes: ['documents'] } }],
  ['rbac_policy', { mfa: { policy: { required_for_roles: ['editor'] } } }],
  ['clients', { resources: [{ resource: 'https://api.example.com', introspection_client_id: 'app' }] }],
  ['oauth_clients', { issuer: ISSUER, mfa: { trusted_providers: [{ provider: 'my-sso', amr: ['mfa'] }] } }],
];

describe.each(NEEDS)('a mistake in %s', (wrong, beside) => {
  it(`is named alone beside ${Object.keys(beside).join(' and ')}, which needs its value`, () => {
    expect(wrongFields({ ...SHORT, ...beside, [wrong]: WRONG })).toEqual([wrong]);
  });

  it('is named alone where it is a misspelled name, too', () => {
    const { [wrong]: _, ...others } = { ...SHORT, ...beside } as Readonly<Record<string, unknown>>;
    expect(wrongFields({ ...others, [`${wrong}s`]: [] })).toEqual([`${wrong}s`]);
  });
});

describe('a mistake in a field', () => {
  it.each([
    [{ session_cookies: { ...COOKIES, device_bound: WRONG } }, 'session_cookies.device_bound'],
    [{ captcha_settings: { enabled: true, provider: WRONG } }, 'captcha_settings.provider'],
    [{ mfa: { policy: 'required', factors: WRONG } }, 'mfa.factors'],
    [{ passkeys: { require_attestation: true, attestation: WRONG } }, 'passkeys.attestation'],
  ])('hides what would follow from its default: %j', (json, path) => {
    expect(wrongFields({ ...SHORT, ...json })).toEqual([path]);
  });

  it('in a list hides nothing of the fields that do not need the list', () => {
    const json = { ...SHORT, origins: ['x'], session_cookies: { http_only: true }, sign_up: { roles: ['editor'] } };
    expect(wrongFields(json)).toEqual(['origins[0]', 'sign_up.roles[0]']);
  });
});

describe('the defaults of a project file', () => {
  it('let people delete their account with --dev alone', () => {
    expect(projectFrom(SHORT, false).account).toEqual({ deletion: false });
    expect(projectFrom(SHORT, true).account).toEqual({ deletion: true });
    expect(projectFrom({ ...SHORT, account: { deletion: true } }, false).account).toEqual({ deletion: true });
  });

  it('lead new users to the page of the demo where that is registered, although logins lead elsewhere', () => {
    const { default_login_redirect_url, default_signup_redirect_url } = projectFrom(
      { ...SHORT, default_login_redirect_url: PAGE },
      true,
    );
    expect([default_login_redirect_url, default_signup_redirect_url]).toEqual([PAGE, 'http://localhost:3000/']);
  });
});

describe('a secret that is not where the file says', () => {
  const secret = { env: 'PORTICO_TEST_NOT_SET' };
  const url = 'http://127.0.0.1/hooks';

  it.each([
    [{ hooks: { sign_up: { url, secret } } }, ['hooks.sign_up.secret', 'hooks.sign_up.url']],
    [
      { hooks: { login: { url, secret: [secret, secret] } } },
      ['hooks.login.secret[0]', 'hooks.login.secret[1]', 'hooks.login.url'],
    ],
    [{ hooks: { sign_up: { url, secret: { file: '/none' } } } }, ['hooks.sign_up.secret', 'hooks.sign_up.url']],
    [{ webhooks: [{ url, secret }] }, ['webhooks[0].secret', 'webhooks[0].url']],
    [{ password_check: { url, secret } }, ['password_check.secret', 'password_check.url']],
    [{ delivery: { sms: { gateway: 'webhook', url, secret } } }, ['delivery.sms.secret', 'delivery.sms.url']],
    [
      { oauth_clients: { google: { client_id: 'a', client_secret: secret } } },
      ['oauth_clients.google.client_secret', 'issuer'],
    ],
    [
      { captcha_settings: { enabled: true, provider: 'turnstile', secret, min_score: 0.5 } },
      ['captcha_settings.secret', 'captcha_settings.siteKey', 'captcha_settings.min_score'],
    ],
    [
      {
        oauth_clients: { 'my-sso': { ...LOGIN, issuer: ISSUER, client_secret: secret } },
        issuer: ISSUER,
        mfa: { trusted_providers: [{ provider: 'my-sso', amr: ['mfa'] }] },
      },
      ['oauth_clients.my-sso.client_secret'],
    ],
  ] as const)('hides no other mistake, and makes none: %j', (json, paths) => {
    expect(wrongFields({ ...SHORT, ...json })).toEqual(paths);
  });
});
