import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorsApp } from '#provider/operation/operators/app.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import { AGENT_CALLBACK, documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { askedIn, challenge, makeApps, verifier, type Apps } from '../kit/idp-harness.ts';
import { operatorsBrowser, ORIGIN } from '../kit/operators-browser.ts';
import { registrar } from '../kit/registrar.ts';

const HOSTILE = 'Evil <b onclick="x">Agent';
const AGENTS = {
  metadata_documents: true,
  registration: 'open',
  scopes: ['openid', 'email', 'offline_access'],
  approval_required: true,
};

describe.each(EITHER_DATABASE)("the operators' page of agents, on %s", (_, url) => {
  let apps: Apps;
  let host: DocumentHost;
  let app: ReturnType<typeof operatorsApp>;
  beforeAll(async () => {
    host = await documentHost();
    apps = await makeApps(url, { agents: AGENTS });
    app = operatorsApp({ ...apps.provider.services, metrics: NO_METRICS }, { origin: ORIGIN });
  });
  afterAll(async () => {
    await Promise.all([apps.provider.close(), host.close()]);
  });
  const { register, at: registration } = registrar(() => apps.provider);
  const versionIn = (page: string): string => / name="version" value="([^"]*)"/u.exec(page)?.[1] ?? '';
  const { get, post, enrolled, events } = operatorsBrowser(() => ({ provider: apps.provider, app }));
  const at = (client_id: string): string => `agents/${encodeURIComponent(client_id)}`;
  const visit = (client_id: string) =>
    apps.visit('/authorize', {
      client_id,
      redirect_uri: AGENT_CALLBACK,
      response_type: 'code',
      scope: 'openid email offline_access',
      code_challenge: challenge,
    });

  it('an agent that waits is in the list, escaped; an approval lets it ask, a refusal ends its access', async () => {
    const { cookie } = await enrolled('Grace');
    const client_id = host.publish('/agent.json', { client_name: HOSTILE });
    expect((await visit(client_id)).status).toBe(403);
    const { text } = await get('agents?waiting=1', cookie);
    expect(text).toContain('Evil &lt;b onclick=&quot;x&quot;&gt;Agent');
    expect(text).not.toContain('<b onclick');
    expect(text).toContain(encodeURIComponent(client_id));
    const shown = await get(at(client_id), cookie);
    expect([shown.status, shown.text.includes(AGENT_CALLBACK), shown.text.includes('Approve the agent')]).toEqual([
      200,
      true,
      true,
    ]);
    const version = versionIn(shown.text);
    expect((await post(`${at(client_id)}/approve`, cookie, { version })).location).toBe(
      `/operators/${at(client_id)}?done=approved`,
    );
    expect((await get('agents?waiting=1', cookie)).text).not.toContain(encodeURIComponent(client_id));
    const { location } = await visit(client_id);
    const { data } = await apps.submit(askedIn(location ?? new URL('about:blank')));
    const fields = {
      code: data['authorization_code'],
      client_id,
      redirect_uri: AGENT_CALLBACK,
      code_verifier: verifier,
    };
    const tokens: Fields = (await apps.redeem(fields)).body;
    const refresh = () => apps.refresh(tokens['refresh_token'], { client_id });
    expect((await get(at(client_id), cookie)).text).toMatch(/Users who gave it access<\/dt>\s*<dd>1<\/dd>/u);

    const untyped = await post(`${at(client_id)}/refuse`, cookie, { confirm: 'yes' });
    expect([untyped.status, untyped.text.includes(`Type ${client_id} to refuse`)]).toEqual([400, true]);
    expect((await post(`${at(client_id)}/refuse`, cookie, { confirm: client_id })).status).toBe(303);
    expect((await refresh()).status).toBe(401);
    expect((await visit(client_id)).text).toContain('The app is not allowed here');
    expect(await events()).toEqual(expect.arrayContaining(['agent_approved Grace', 'agent_refused Grace']));
    expect((await get(`connections?client=${encodeURIComponent(client_id)}`, cookie)).text).toContain('Approval');
  });

  it('an agent that changes behind the open page is not approved by it', async () => {
    const { cookie } = await enrolled('Ada');
    const metadata = { client_name: 'Helper', redirect_uris: [AGENT_CALLBACK], token_endpoint_auth_method: 'none' };
    const { body } = await register(metadata);
    const client_id = String(body['client_id']);
    const open = (await get(at(client_id), cookie)).text;
    const evil = { ...metadata, client_id, redirect_uris: [AGENT_CALLBACK, 'https://evil.example/'] };
    expect((await registration(body)('PUT', evil)).status).toBe(200);
    const forms: readonly Record<string, string>[] = [{ version: versionIn(open) }, {}];
    for (const form of forms) {
      const late = await post(`${at(client_id)}/approve`, cookie, form);
      expect([late.status, late.text.includes('Nothing was decided')]).toEqual([400, true]);
      expect(late.text).toContain('https://evil.example/');
    }
    expect((await visit(client_id)).status).toBe(403);
    const version = versionIn((await get(at(client_id), cookie)).text);
    const decisions = Array.from({ length: 5 }, async () => post(`${at(client_id)}/approve`, cookie, { version }));
    const changes = [registration(body)('PUT', { ...evil, redirect_uris: ['https://evil.example/2'] })];
    await Promise.all([...decisions, ...changes]);
    // Whatever came first, the address that nobody saw is not approved.
    expect((await visit(client_id)).status).toBe(403);
  });

  it('whoever only reads decides nothing, and an unknown agent is not found', async () => {
    const { cookie } = await enrolled('Reader', 'reader');
    const { body } = await register({ redirect_uris: [AGENT_CALLBACK], token_endpoint_auth_method: 'none' });
    const client_id = String(body['client_id']);
    const { text } = await get(at(client_id), cookie);
    expect([text.includes('registration'), text.includes('<button class="danger">')]).toEqual([true, false]);
    for (const [act, form] of [
      ['approve', {}],
      ['refuse', { confirm: client_id }],
    ] as const) {
      expect((await post(`${at(client_id)}/${act}`, cookie, form)).status).toBe(403);
      expect((await post(`${at(client_id)}/${act}`, '', form)).status).toBe(401);
    }
    expect((await get('agents?waiting=1', cookie)).text).toContain(client_id);
    const { cookie: admin } = await enrolled('Admin');
    for (const unknown of ['nobody', '%00']) {
      expect((await get(`agents/${unknown}`, admin)).status).toBe(404);
      expect((await post(`agents/${unknown}/approve`, admin)).status).toBe(404);
    }
    expect((await get('agents?after=x', admin)).status).toBe(400);
    expect((await get('connections?after=x', admin)).status).toBe(400);
  });
});
