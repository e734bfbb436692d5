import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REFUSALS } from '#domain/rules/refusal.ts';
import { ERROR_HELP } from '#provider/api/error-help.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';

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
