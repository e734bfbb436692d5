import { describe, expect, it } from 'vitest';
import { createVerifier } from '#composition/server.ts';
import { signUpBound } from '../kit/bound-browser.ts';
import { BOUND_PROJECT, PAGE, pagesOf, PROJECT } from '../kit/cookie-pages.ts';
import { EITHER_DATABASE, type Provider } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const JWT = 'stytch_session_jwt';
// Claims of this size are refused now; a session of an older version may have them. Many roles make a JWT as long.
const LONG_CLAIMS = { plan: 'x'.repeat(3000) };

async function lengthen({ services }: Provider, user: unknown): Promise<void> {
  const changes = { custom_claims: JSON.stringify(LONG_CLAIMS) };
  await services.db.updateTable('sessions').set(changes).where('user_id', '=', String(user)).execute();
}

const verifierOf = (provider: Provider) =>
  createVerifier({
    projectId: provider.services.project.project_id,
    publicToken: provider.services.project.public_token,
    apiUrl: 'https://api.example.com',
    adapters: { clock: { now: () => provider.clock.time, after: () => () => undefined } },
    fetch: async (url, init) => provider.app.request(url, init),
  });

describe.each(EITHER_DATABASE)('a session JWT that is too long for a cookie, on %s', (_, databaseUrl) => {
  const provider = suiteProvider(databaseUrl, { project: PROJECT, loopback: false, dev: false });

  it('leaves no older one, so that the app reads the newest claims from the API', async () => {
    const page = pagesOf(() => provider).openPage();
    const { data } = await page.signUp();
    const older = page.cookie(JWT);
    await lengthen(provider, data['user_id']);
    const { lines } = await page.send('/sessions/authenticate', {});
    expect(lines.find((line) => line.startsWith(`${JWT}=`))).toContain(`${JWT}=; Max-Age=0;`);
    const cookie = page.jar.sentTo(`${PAGE}/`);
    expect(cookie).not.toContain(older);
    const request = new Request(PAGE, { headers: { cookie } });
    expect(await verifierOf(provider).authenticateRequest(request)).toMatchObject({
      source: 'api',
      claims: LONG_CLAIMS,
    });
  });
});

describe.each(EITHER_DATABASE)('a JWT of a bound session that is too long for a cookie, on %s', (_, databaseUrl) => {
  const provider = suiteProvider(databaseUrl, { project: BOUND_PROJECT, loopback: false, dev: false });

  it('still proves the session: it leaves out what the API can tell', async () => {
    const page = pagesOf(() => provider).openPage();
    const { browser, session_id, data } = await signUpBound(provider, page);
    await lengthen(provider, data['user_id']);
    for (const renew of [async () => page.authenticate(), async () => browser.refresh(session_id)]) {
      expect((await renew()).status).toBe(200);
      expect(page.cookie(JWT)).not.toBe('');
      expect(await page.authenticate()).toMatchObject({
        status: 200,
        data: { session: { session_id, device_bound: true, custom_claims: LONG_CLAIMS } },
      });
      const request = new Request(PAGE, { headers: { cookie: page.jar.sentTo(`${PAGE}/`) } });
      const who = await verifierOf(provider).authenticateRequest(request, { factors: 1, maxAgeMinutes: 60 });
      expect(who).toMatchObject({ status: 'signed-in', source: 'api', bound: true, claims: LONG_CLAIMS });
    }
    // The token alone stays worthless.
    browser.forgetProof();
    expect((await page.authenticate()).status).toBe(401);
  });
});
