import { createServer, type Server } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ANY_DATABASE, makeProvider, type Provider } from '../../../provider/tests/kit/harness.ts';
import { withHooks } from '../../../provider/tests/kit/with-hooks.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { PATIENCE_MS } from '../../patience-ms.ts';
import { exampleNamed } from './examples.ts';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-hooks-'));
let server: Server;
let provider: Provider;
let url: string;

beforeAll(async () => {
  vi.stubEnv('HOOK_SECRET', SECRET);
  const file = join(dir, 'hook-app.ts');
  writeFileSync(file, exampleNamed('hook-app.ts').source);
  const { app } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    app: Parameters<typeof createServer>[1];
  };
  server = createServer(app);
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const settings = { url, secret: [SECRET], on_failure: 'refuse', deadline_ms: PATIENCE_MS } as const;
  const { rbac_policy, role_assignments, mfa } = projectFrom({
    rbac_policy: { roles: [{ role_id: 'viewer' }, { role_id: 'admin' }] },
    role_assignments: [{ email: 'admin@app.example', roles: ['admin'] }],
    mfa: { policy: 'when_enrolled' },
  });
  provider = withHooks(
    await makeProvider(ANY_DATABASE),
    { sign_up: settings, login: settings },
    { rbac_policy, role_assignments, mfa },
  );
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
  server.closeAllConnections();
  server.close();
  await provider.close();
});

async function logIn(email: string) {
  const { method_id, code } = await provider.sendCode(email);
  const mfa_code_challenge = Buffer.alloc(32, 1).toString('base64url');
  return provider.post('/otps/authenticate', {
    token: code,
    method_id,
    session_duration_minutes: 60,
    mfa_code_challenge,
  });
}

it('the app of the page on hooks refuses, adds to users and requires factors, and answers only signed requests', async () => {
  const visitor = await logIn('ada@app.example');
  expect(visitor.data).toMatchObject({ session: { roles: ['viewer'] }, user: { trusted_metadata: { plan: 'trial' } } });
  const rival = await logIn('eve@rival.example');
  expect([rival.status, rival.body['error_message']]).toEqual([403, 'This service is not open to your company.']);
  expect((await logIn('admin@app.example')).data).toMatchObject({ session: null, mfa: { factors: [] } });
  const body = '{"id":"x","type":"hook.login","data":{}}';
  const headers = { 'content-type': 'application/json', 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }; // prettier-ignore
  expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(401);
});
