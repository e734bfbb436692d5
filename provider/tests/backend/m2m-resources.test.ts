import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpGuard } from '#composition/server/mcp.ts';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { startBackend, type Backend } from '../kit/backend.ts';
import { basic, EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { ISSUER, SETTINGS } from '../kit/idp-harness.ts';

const TASKS = 'https://tasks.example/mcp';
const NOTES = 'https://notes.example/mcp';
const RESOURCES = [{ resource: TASKS }, { resource: NOTES, scopes: ['write'] }];
const system = new SystemClock(globalThis);

/** RFC 8707 at the grant of RFC 6749, section 4.4. */
describe.each(EITHER_DATABASE)('an M2M client that names an API (resource), on %s', (_, database) => {
  let backend: Backend;
  let secret = '';
  beforeAll(async () => {
    const agents = { registration: 'open', unknown_resources: 'allow' };
    const project = projectFrom({ ...SETTINGS, resources: RESOURCES, agents });
    backend = await startBackend(database, { project });
    const scopes = ['write', 'purge', 'reports:read'];
    const made = await backend.client.m2m.clients.create({ client_id: 'robot', scopes });
    secret = made.m2m_client.client_secret;
  });
  afterAll(() => backend.close());

  const ask = async (resources: readonly string[], fields: Readonly<Record<string, string>> = {}) => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...fields });
    for (const resource of resources) form.append('resource', resource);
    const { project_id } = backend.provider.services.project;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: basic('robot', secret) };
    const request = { method: 'POST', headers, body: form.toString() };
    const reply = await backend.provider.app.request(`${ISSUER}/v1/public/${project_id}/oauth2/token`, request);
    return { status: reply.status, body: (await reply.json()) as Fields };
  };
  const tokenFor = async (resources: readonly string[], fields?: Readonly<Record<string, string>>) =>
    String((await ask(resources, fields)).body['access_token']);
  const verdictOf = async (resource: string, token: string) => {
    const { clock, app } = backend.provider;
    const guard = createMcpGuard({
      issuer: ISSUER,
      resource,
      scopes: [],
      fetch: async (address, init) => app.request(address, init),
      adapters: { clock: { now: () => clock.now(), after: (ms, task) => system.after(ms, task) } },
    });
    return guard.authorize(`Bearer ${token}`, { method: 'tools/list' });
  };

  it('gets a token of RFC 9068 for it alone, which another API refuses', async () => {
    const token = await tokenFor([TASKS]);
    expect(decodeProtectedHeader(token).typ).toBe('at+jwt');
    expect(decodeJwt(token)).toMatchObject({
      iss: ISSUER,
      aud: TASKS,
      sub: 'robot',
      client_id: 'robot',
      scope: 'write purge reports:read',
    });
    expect(await verdictOf(TASKS, token)).toMatchObject({ auth: { clientId: 'robot', scopes: expect.any(Array) } });
    expect(await verdictOf(NOTES, token)).toMatchObject({ refusal: { status: 401 } });
    const plain = await tokenFor([]);
    for (const api of [TASKS, NOTES]) {
      expect(await verdictOf(api, plain)).toMatchObject({ refusal: { status: 401 } });
    }
  });

  it('gets one for several, and only the scopes that mean something there', async () => {
    expect(decodeJwt(await tokenFor([TASKS, NOTES])).aud).toEqual([TASKS, NOTES]);
    const { body } = await ask([NOTES]);
    expect([body['scope'], decodeJwt(String(body['access_token']))['scope']]).toEqual(['write', 'write']);
    expect((await ask([TASKS], { scope: 'purge' })).body['scope']).toBe('purge');
    expect((await ask([TASKS], { scope: 'write email' })).body['error']).toBe('invalid_scope');
  });

  it('gets no token for an API to which none of its scopes means anything', async () => {
    const refused = { status: 400, body: { error: 'invalid_scope' } };
    expect(await ask([NOTES], { scope: 'purge' })).toMatchObject(refused);
    expect(await ask([NOTES], { scope: 'purge reports:read' })).toMatchObject(refused);
  });

  it('gets what it always got for the project’s own API', async () => {
    const { project_id } = backend.provider.services.project;
    for (const resources of [[], [ISSUER], [`${ISSUER}/`]]) {
      const token = await tokenFor(resources);
      expect(decodeProtectedHeader(token).typ).toBe('JWT');
      expect(decodeJwt(token)).toMatchObject({ iss: `stytch.com/${project_id}`, aud: [project_id] });
      expect(decodeJwt(token)).not.toHaveProperty('client_id');
    }
  });

  it.each<[string, readonly string[]]>([
    ['an API that the project does not have, also where agents may name it', ['https://other.example/']],
    ['an API below another one', [`${TASKS}/admin`]],
    ['an API beside one that it has', [TASKS, 'https://other.example/']],
    ['two APIs in one text', [`${TASKS} ${NOTES}`]],
    ['a fragment', [`${TASKS}#a`]],
    ['no address', ['tasks']],
    ['nine APIs', Array.from({ length: 9 }, () => TASKS)],
  ])('gets no token for %s', async (_name, resources) => {
    expect(await ask(resources)).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
  });

  it('gets tokens that open nothing of this server, whatever they are for', async () => {
    const { provider } = backend;
    for (const resources of [[TASKS], [ISSUER, TASKS]]) {
      const access_token = await tokenFor(resources);
      expect((await provider.call('GET', '/users/me', undefined, { session: access_token })).status).toBe(401);
      const exchanged = { access_token, session_duration_minutes: 5 };
      expect((await provider.post('/sessions/exchange_access_token', exchanged)).status).toBe(401);
      const headers = { authorization: `Bearer ${access_token}` };
      expect((await provider.app.request(`${ISSUER}/oauth2/userinfo`, { headers })).status).toBe(401);
    }
  });
});
