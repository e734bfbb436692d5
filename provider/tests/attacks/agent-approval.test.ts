import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { perform } from '#provider/operation/operators/commands.ts';
import { AGENT_CALLBACK, documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { as, askedIn, challenge, makeApps, PAGE, verifier, type Apps } from '../kit/idp-harness.ts';
import { registrar } from '../kit/registrar.ts';
import { soakIt } from '#tests/soak-tests.ts';

const DAY = 24 * 60 * MINUTE;
const AGENTS = {
  metadata_documents: true,
  registration: 'open',
  scopes: ['openid', 'email', 'offline_access'],
  approval_required: true,
};
const AGENT = { client_name: 'Evil <b>Agent', redirect_uris: [AGENT_CALLBACK], token_endpoint_auth_method: 'none' };

/** Where the project wants an operator's approval of new agents, nothing else lets one in. */
describe.each(EITHER_DATABASE)('an agent that waits for an operator, on %s', (_, url) => {
  let apps: Apps;
  let host: DocumentHost;
  const { register, at } = registrar(() => apps.provider);
  beforeAll(async () => {
    host = await documentHost();
    apps = await makeApps(url, { agents: AGENTS });
  });
  afterAll(async () => {
    await Promise.all([apps.provider.close(), host.close()]);
  });

  const decide = (decision: 'approve' | 'refuse', agent: string) =>
    perform(apps.provider.services, `agents.${decision}`, { agent });
  const request = (client_id: string): Fields => ({
    client_id,
    redirect_uri: AGENT_CALLBACK,
    response_type: 'code',
    scope: 'openid email offline_access',
    code_challenge: challenge,
  });
  const visit = (client_id: string) => apps.visit('/authorize', request(client_id));
  const page = async (client_id: string) => {
    const { location } = await visit(client_id);
    return location?.href.startsWith(PAGE) === true ? askedIn(location) : null;
  };
  const tokens = async (client_id: string) => {
    const { data } = await apps.submit((await page(client_id)) ?? {});
    const code = data['authorization_code'];
    return (await apps.redeem({ code, client_id, redirect_uri: AGENT_CALLBACK, code_verifier: verifier })).body;
  };

  it('is told to the person who waits, and gets nothing meanwhile', async () => {
    const documented = host.publish('/waiting.json');
    const registered = String((await register(AGENT)).body['client_id']);
    for (const [id, name] of [
      [documented, new URL(host.origin).host],
      [registered, 'Evil &lt;b&gt;Agent'],
    ] as const) {
      const { status, location, text } = await visit(id);
      expect([status, location]).toEqual([403, null]);
      expect(text).toContain('The app waits for approval');
      expect(text).toContain(name);
      const asked = { client_id: id, redirect_uri: AGENT_CALLBACK, response_type: 'code', scopes: ['openid'] };
      expect((await apps.start(asked)).body['error_type']).toBe('connected_app_not_found');
      expect((await apps.submit(asked)).body['error_type']).toBe('connected_app_not_found');
      expect((await apps.form('/par', request(id))).body).toMatchObject({ error: 'invalid_client' });
      const token = await apps.form('/token', { grant_type: 'authorization_code', code: 'x', client_id: id });
      expect(token.body).toMatchObject({ error: 'invalid_client' });
    }
    const { rows } = await perform(apps.provider.services, 'agents.list', { waiting: true });
    expect(rows.map((row) => row['client_id'])).toEqual(expect.arrayContaining([documented, registered]));
  });

  it('is let in by the operator, and ends at once when it is refused', async () => {
    const id = host.publish('/decided.json');
    await visit(id);
    await decide('approve', id);
    const given = await tokens(id);
    expect((await apps.userinfo(given['access_token'])).status).toBe(200);
    const late = await page(id);
    await decide('refuse', id);
    expect((await apps.userinfo(given['access_token'])).status).toBe(401);
    expect((await apps.refresh(given['refresh_token'], { client_id: id })).status).toBe(401);
    expect((await apps.submit(late ?? {})).body['error_type']).toBe('connected_app_not_found');
    expect((await visit(id)).text).toContain('The app is not allowed here');
    // The tokens of before do not come back with a later approval.
    await decide('approve', id);
    expect((await apps.userinfo(given['access_token'])).status).toBe(401);
    expect((await apps.refresh(given['refresh_token'], { client_id: id })).body['error']).toBe('invalid_grant');
  });

  soakIt('keeps no access from a consent that races with the refusal', async () => {
    const id = host.publish('/racing.json');
    await visit(id);
    await decide('approve', id);
    const asked = (await page(id)) ?? {};
    const [, ...submitted] = await Promise.all([
      decide('refuse', id),
      ...Array.from({ length: 5 }, async () => apps.submit(asked)),
    ]);
    for (const { data } of submitted) {
      const code = String(data['authorization_code'] ?? 'none');
      const { status } = await apps.redeem({ code, client_id: id, redirect_uri: AGENT_CALLBACK });
      expect(status).toBe(401);
    }
  });

  it('loses the approval when its own registration gives it other addresses or another name', async () => {
    const { body: made } = await register(AGENT);
    const id = String(made['client_id']);
    const change = { ...AGENT, client_id: id };
    for (const other of [{ redirect_uris: ['https://evil.example/'] }, { client_name: 'Your bank' }]) {
      await decide('approve', id);
      expect(await page(id)).not.toBeNull();
      expect((await at(made)('PUT', { ...change, ...other })).status).toBe(200);
      expect((await visit(id)).status).toBe(403);
      await at(made)('PUT', change);
      expect((await visit(id)).status).toBe(403);
    }
    await decide('refuse', id);
    expect((await at(made)('PUT', change)).status).toBe(401);
    expect((await at(made)('DELETE')).status).toBe(401);
    expect((await visit(id)).text).toContain('The app is not allowed here');
  });

  it.each([
    ['other addresses', { redirect_uris: [AGENT_CALLBACK, 'https://evil.example/'] }],
    ['another name', { client_name: 'Your bank' }],
    ['keys', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://evil.example/keys' }],
  ])('loses the approval when its document gets %s, also in the hands of who has its tokens', async (what, change) => {
    const path = `/changed-${what.replaceAll(' ', '-')}.json`;
    const id = host.publish(path);
    await visit(id);
    await decide('approve', id);
    const given = await tokens(id);
    host.publish(path, change);
    apps.provider.clock.time += DAY;
    await apps.signInAgain();
    // By whoever comes first, of several at once.
    await Promise.all([visit(id), visit(id), visit(id)]);
    expect((await visit(id)).status).toBe(403);
    expect((await apps.refresh(given['refresh_token'], { client_id: id })).body).toMatchObject({
      error: 'invalid_client',
    });
    // What it was before does not bring the approval back.
    host.publish(path);
    apps.provider.clock.time += DAY;
    await apps.signInAgain();
    expect((await visit(id)).status).toBe(403);
    await decide('refuse', id);
    host.publish(path, change);
    apps.provider.clock.time += DAY;
    await apps.signInAgain();
    expect((await visit(id)).text).toContain('The app is not allowed here');
  });

  soakIt('is listed for its user with its host and its last use, until it is refused', async () => {
    const user = await apps.provider.signIn('user-of-agents@example.com');
    const id = host.publish('/listed.json');
    await visit(id);
    await decide('approve', id);
    const { data } = await apps.submit((await page(id)) ?? {}, user);
    const list = async () =>
      (await apps.provider.call('GET', '/users/connected_apps', undefined, as(user))).data['connected_apps'];
    expect((await list())[0]).not.toHaveProperty('last_used_at');
    const { body } = await apps.redeem({
      code: data['authorization_code'],
      client_id: id,
      redirect_uri: AGENT_CALLBACK,
    });
    const used = new Date(apps.provider.clock.time).toISOString();
    const shown = { connected_app_id: id, client_origin: 'document', client_host: new URL(host.origin).host };
    expect(await list()).toMatchObject([{ ...shown, last_used_at: used }]);
    apps.provider.clock.time += 1000;
    expect((await apps.refresh(body['refresh_token'], { client_id: id })).status).toBe(200);
    expect(await list()).toMatchObject([{ last_used_at: new Date(apps.provider.clock.time).toISOString() }]);
    await decide('refuse', id);
    expect(await list()).toEqual([]);
  });

  it('is decided on in the audit log', async () => {
    const rows = await apps.provider.services.db.selectFrom('audit_log').select('event').execute();
    const events = rows.map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(['agent_approved', 'agent_refused']));
    await expect(decide('approve', 'nobody')).rejects.toThrow('There is no such agent.');
  });
});
