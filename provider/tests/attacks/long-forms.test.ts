import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { DATABASES } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { SETTINGS } from '../kit/idp-harness.ts';
import { publicCalls } from '../kit/public-calls.ts';
import { enrolTotp, MINUTES } from './attacker.ts';

/**
 * The normal form of a text, and the form in which hosts are compared, take the square of its length: a text of 60 kB takes seconds. No
 * expression does that, so the gate for expressions does not see it.
 */

const LONGEST = 4096;
const HOST = Array.from({ length: 19_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
const MARKS = `a${'\u0301'.repeat(14_000)}${'\u0323'.repeat(14_000)}`;

/** The long texts that were brought into such a form. */
function watchForms(): readonly string[] {
  const found: string[] = [];
  const note = (what: string, text: unknown): void => {
    if (String(text).length > LONGEST) found.push(what);
  };
  const { normalize } = String.prototype;
  vi.spyOn(String.prototype, 'normalize').mockImplementation(function read(this: string, form?: string) {
    note('normalize', this);
    return normalize.call(this, form);
  });
  class WatchedURL extends URL {
    constructor(url: string | URL, base?: string | URL) {
      note('new URL', url);
      super(url, base);
    }

    static override canParse(url: string | URL, base?: string | URL): boolean {
      note('URL.canParse', url);
      return URL.canParse(url, base);
    }
  }
  vi.stubGlobal('URL', WatchedURL);
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
  return found;
}

describe.each(DATABASES.slice(0, 1))('normal forms of long texts, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: projectFrom({ ...SETTINGS, agents: { registration: 'open' } }) });

  it('are made of no address in a call of a stranger', async () => {
    const calls = publicCalls(provider.app.routes).filter(
      ({ name, field }) => /(?:ur[il]s?|resource|origin|params)$/u.test(field) && /^(?:POST|PUT) /u.test(name),
    );
    expect(calls.length).toBeGreaterThan(100);
    const { session_token } = await provider.signIn('reader@example.com');
    const found = watchForms();
    const slow = new Set<string>();
    for (const { name, field, request } of calls.filter((each) => !/^(?:query|header) /u.test(each.field))) {
      provider.clock.time += 21_000;
      const before = found.length;
      const reply = await provider.app.request(...request(`https://${HOST}.example/`, String(session_token)));
      expect(reply.status, `${name}, ${field}`).toBeLessThan(500);
      await reply.body?.cancel();
      if (found.length > before) slow.add(`${name}, ${field}`);
    }
    expect([...slow]).toEqual([]);
  });

  it('are made of no recovery code', async () => {
    const { session_token } = await provider.signIn('codes@example.com');
    const { session, recovery_codes } = await enrolTotp(provider, String(session_token));
    const found = watchForms();
    const enter = async (recovery_code: string) =>
      provider.call('POST', '/totps/recover', { recovery_code, ...MINUTES }, { session });
    expect((await enter(MARKS)).body['error_type']).toBe('recovery_code_not_found');
    expect(found).toEqual([]);
    const [code = ''] = recovery_codes;
    expect((await enter(` ${code.toUpperCase().replaceAll('-', ' - ')} `)).status).toBe(200);
  });

  it('a registration that is nested deeper than the stack is refused', async () => {
    const depth = 30_000;
    const redirect_uris = '["https://a.example/"]';
    for (const deep of [
      '['.repeat(depth) + ']'.repeat(depth),
      '{"a":'.repeat(depth / 3) + '1' + '}'.repeat(depth / 3),
    ]) {
      const body = `{"redirect_uris":${redirect_uris},"jwks":${deep}}`;
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      const reply = await provider.app.request('/oauth2/register', init);
      expect([reply.status, await reply.json()]).toMatchObject([400, { error: 'invalid_client_metadata' }]);
    }
  });
});
