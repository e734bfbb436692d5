import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifier } from '../../../src/composition/server.ts';
import { PAGE, pagesOf, PROJECT } from '../kit/cookie-pages.ts';
import { EITHER_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';

const JWT = 'stytch_session_jwt';

describe.each(EITHER_DATABASE)('a session JWT that is too long for a cookie, on %s', (_, databaseUrl) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeProvider(databaseUrl, { project: PROJECT, loopback: false, dev: false });
  });
  afterAll(() => provider.close());

  it('leaves no older one, so that the app reads the newest claims from the API', async () => {
    const page = pagesOf(() => provider).openPage();
    const { data } = await page.signUp();
    const older = page.cookie(JWT);
    const { db, project } = provider.services;
    // Claims of this size are refused now; a session of an older version may have them.
    const custom_claims = { plan: 'x'.repeat(3000) };
    const { user_id } = data as { readonly user_id: string };
    const changes = { custom_claims: JSON.stringify(custom_claims) };
    await db.updateTable('sessions').set(changes).where('user_id', '=', user_id).execute();
    const { lines } = await page.send('/sessions/authenticate', {});
    expect(lines.find((line) => line.startsWith(`${JWT}=`))).toContain(`${JWT}=; Max-Age=0;`);
    const cookie = page.jar.sentTo(`${PAGE}/`);
    expect(cookie).not.toContain(older);
    const verifier = createVerifier({
      projectId: project.project_id,
      publicToken: project.public_token,
      apiUrl: 'https://api.example.com',
      adapters: { clock: { now: () => provider.clock.time, after: () => () => undefined } },
      fetch: async (url, init) => provider.app.request(url, init),
    });
    const request = new Request(PAGE, { headers: { cookie } });
    expect(await verifier.authenticateRequest(request)).toMatchObject({ source: 'api', claims: custom_claims });
  });
});
