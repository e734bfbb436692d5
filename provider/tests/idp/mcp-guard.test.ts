import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpGuard } from '#composition/server/mcp.ts';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { as, ISSUER, makeApps, SETTINGS, type Apps } from '../kit/idp-harness.ts';

const system = new SystemClock(globalThis);
const TASKS = 'https://tasks.example/mcp';
const NOTES = 'https://notes.example/mcp';

describe.each(EITHER_DATABASE)(
  'MCP servers that portico/server/mcp guards, with tokens of this provider, on %s',
  (_, url) => {
    let apps: Apps;
    beforeAll(async () => {
      const [planner] = SETTINGS.clients;
      const clients = [
        ...SETTINGS.clients,
        { ...planner, client_id: 'television', device_authorization_allowed: true },
      ];
      apps = await makeApps(url, { clients, resources: [{ resource: TASKS }, { resource: NOTES }] });
    });
    afterAll(() => apps.provider.close());

    const guardOf = (resource: string) =>
      createMcpGuard({
        issuer: ISSUER,
        resource,
        scopes: ['email'],
        tools: { write: ['write'] },
        fetch: async (address, init) => apps.provider.app.request(address, init),
        adapters: { clock: { now: () => apps.provider.clock.now(), after: (ms, task) => system.after(ms, task) } },
      });
    const tokensFor = async (fields: Fields) => {
      const { resource, scopes = ['email', 'offline_access'] } = fields;
      const arrived = await apps.arrive({ scopes, resource });
      const { data } = await apps.submit({ ...arrived, consent_granted: true });
      return (await apps.redeem({ code: data['authorization_code'] })).body;
    };
    const verdictOf = (resource: string, token: unknown, tool = 'read') =>
      guardOf(resource).authorize(`Bearer ${String(token)}`, { method: 'tools/call', params: { name: tool } });

    it('a token for one is refused by the other, and by both if it is for none', async () => {
      const { access_token, refresh_token } = await tokensFor({ resource: TASKS });
      expect(await verdictOf(TASKS, access_token)).toMatchObject({
        auth: { clientId: 'planner', extra: { userId: apps.signedIn.user['user_id'] } },
      });
      expect(await verdictOf(NOTES, access_token)).toMatchObject({ refusal: { status: 401 } });
      const { body } = await apps.refresh(refresh_token);
      expect(await verdictOf(TASKS, body['access_token'])).toHaveProperty('auth');
      expect(await verdictOf(NOTES, body['access_token'])).toMatchObject({ refusal: { status: 401 } });
      const plain = await tokensFor({});
      for (const resource of [TASKS, NOTES]) {
        expect(await verdictOf(resource, plain['access_token'])).toMatchObject({ refusal: { status: 401 } });
      }
    });

    it('a tool that needs more gets it after another consent', async () => {
      const { access_token } = await tokensFor({ resource: TASKS });
      const verdict = await verdictOf(TASKS, access_token, 'write');
      expect(verdict).toMatchObject({ refusal: { status: 403, body: { error: 'insufficient_scope' } } });
      const challenge = 'refusal' in verdict ? (verdict.refusal.headers['www-authenticate'] ?? '') : '';
      const scopes = (/ scope="([^"]*)"/u.exec(challenge)?.[1] ?? '').split(' ');
      expect(scopes).toContain('write');
      const raised = await tokensFor({ resource: TASKS, scopes });
      expect(await verdictOf(TASKS, raised['access_token'], 'write')).toHaveProperty('auth');
    });

    it('a device gets a token for the server that it asked for', async () => {
      const client_id = 'television';
      const { body } = await apps.form('/device_authorization', { client_id, resource: TASKS, scope: 'email' });
      const { user_code, device_code } = body;
      await apps.provider.post(
        '/idp/oauth/device/submit',
        { user_code, consent_granted: true },
        as(apps.signedIn.user),
      );
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
      const { access_token } = (await apps.token({ client_id, grant_type, device_code })).body;
      expect(await verdictOf(TASKS, access_token)).toHaveProperty('auth');
      expect(await verdictOf(NOTES, access_token)).toMatchObject({ refusal: { status: 401 } });
      const strange = await apps.form('/device_authorization', { client_id, resource: 'https://evil.example/' });
      expect(strange.body['error']).toBe('invalid_target');
    });
  },
);
