import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REFUSALS, type RefusalType } from '#domain/rules/refusal.ts';
import { ERROR_HELP } from '#provider/api/error-help.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';

/** What a developer corrects after an error: fields of the project file, and the options of clients and widgets that send the value. */
const CORRECTED: { readonly [Type in RefusalType]?: readonly string[] } = {
  no_match_for_provided_magic_link_url: ['redirect_urls', 'loginRedirectURL', 'signupRedirectURL', 'resetPasswordRedirectURL'], // prettier-ignore
  no_match_for_provided_oauth_url: ['redirect_urls', 'loginRedirectURL', 'signupRedirectURL', 'oauthOptions'],
  no_login_redirect_urls_set: ['default_login_redirect_url', 'redirect_urls', 'loginRedirectURL'],
  no_signup_redirect_urls_set: ['default_signup_redirect_url', 'redirect_urls', 'signupRedirectURL'],
  invalid_session_duration: ['session_max_minutes', 'sessionOptions.sessionDurationMinutes'],
  invalid_phone_number_country_code: ['sms_countries'],
  invalid_domain: ['origins', 'passkey_domain'],
  unregistered_origin: ['origins of the project file'],
  invalid_public_token: ['publicToken', 'public_token', 'apiUrl'],
  captcha_required: ['captcha_settings'],
  dfp_telemetry_id_required: ['dfp_protected_auth_enabled'],
  weak_password: ['password_strength_policy'],
  breached_password: ['breach_detection'],
  oauth_config_not_found: ['oauth_providers', 'oauth_clients'],
  sign_up_refused: ['sign_up.policy'],
  hook_unavailable: ['hooks', 'on_failure'],
  invalid_role: ['rbac_policy'],
  misdirected_request: ['issuer'],
};

describe('the page of an error', () => {
  let provider: Provider;
  beforeAll(async () => (provider = await makeProvider(ANY_DATABASE)));
  afterAll(() => provider.close());

  const page = async (type: string) => (await provider.app.request(`http://localhost:4100/errors/${type}`)).text();

  it.each(Object.entries(REFUSALS))('%s says its cause, its field and the remedy', async (type, [, cause]) => {
    const [name, , ...lines] = (await page(type)).trimEnd().split('\n');
    expect([name, lines.length]).toEqual([type, 3]);
    expect(lines[0]).toBe(`Cause: ${cause}`);
    expect(lines[1]).toMatch(/^Field: \S.*[^.]\.$/u);
    expect(lines[2]).toMatch(/^Remedy: [A-Z].*[^.]\.$/u);
  });

  it('names fields of the project file that exist', () => {
    const known = new Set(Object.keys(DEMO_PROJECT));
    const named = Object.values(ERROR_HELP).flatMap(([field]) =>
      [...field.matchAll(/([\w.… ,]+) of the project file/gu)].flatMap(([, names = '']) =>
        names.split(/,| and | of /u),
      ),
    );
    const fields = named.map((name) => name.trim().replace('the settings ', '').split('.')[0] ?? '');
    expect(fields.length).toBeGreaterThan(20);
    const isKnown = (name: string) => known.has(name) || name === 'redirect_uris' || [...known].some((each) => each.startsWith(name.replace('…', ''))); // prettier-ignore
    expect(fields.filter((name) => !isKnown(name) && !/^(?:scopes|post_logout_redirect_uris)$/u.test(name))).toEqual(
      [],
    );
  });

  it.each(Object.entries(CORRECTED))('%s names what a developer corrects: %j', async (type, names) => {
    const text = await page(type);
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
  });

  it('of a redirect that is not registered leads from the option of the widget to the project file', async () => {
    const fields = { email: 'a@b.example', login_magic_link_url: 'https://evil.example/' };
    const refused = await provider.post('/magic_links/email/login_or_create', fields);
    expect(refused.body['error_message']).toBe(
      'login_magic_link_url (of a widget: loginRedirectURL) is not registered: add it to redirect_urls of the project file.',
    );
    const { pathname } = new URL(refused.body['error_url']);
    expect(await page(pathname.slice('/errors/'.length))).toMatch(/redirect_urls.*\n.*loginRedirectURL/u);
  });

  it('of no error is none', async () => {
    for (const type of ['nothing', 'constructor', '__proto__']) expect(await page(type)).toContain('route_not_found');
  });
});
