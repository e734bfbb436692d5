import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Fields } from '../../../provider/tests/kit/harness.ts';
import { connectedApps } from '#provider/base/backend-api/connected-apps.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { DOCUMENTED_PROVIDER, exampleNamed } from './examples.ts';
import { serveProvider, type ServedProvider } from './served-provider.ts';

interface Sample {
  registerApp(name: string, callback: string): Promise<{ id: string; secret: string }>;
  replaceSecret(clientId: string): Promise<{ secret: string; finish(): Promise<unknown> }>;
  removeApp(clientId: string): Promise<void>;
}

const PROJECT_ID = 'project-test-d1e70000-0000-4000-8000-000000000000';
const SECRET = 'secret-test-d1e70000-0000-4000-8000-000000000000';
const CALLBACK = 'https://planner.example/callback';

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-apps-'));
let served: ServedProvider;
let sample: Sample;

beforeAll(async () => {
  served = await serveProvider();
  const file = join(dir, 'connected-apps.ts');
  writeFileSync(file, exampleNamed('connected-apps.ts').source.replaceAll(DOCUMENTED_PROVIDER, served.url));
  // The backend SDK warns of every address but the hosted one.
  const warning = vi.spyOn(console, 'warn').mockReturnValue();
  sample = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Sample;
  warning.mockRestore();
});

afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await served?.close();
});

const backend = async (method: string, path: string, body: Fields): Promise<Fields> => {
  const reply = await fetch(`${served.url}/v1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${PROJECT_ID}:${SECRET}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await reply.json()) as Fields;
};

/** A user allows the app, which redeems the code with its secret. */
async function authorize(userId: string, id: string, secret: string) {
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const request = { client_id: id, redirect_uri: CALLBACK, response_type: 'code', scopes: ['openid'], user_id: userId };
  const granted = await backend('POST', '/idp/oauth/authorize', { ...request, consent_granted: true, code_challenge });
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: String(granted['authorization_code']),
    redirect_uri: CALLBACK,
    code_verifier,
    client_id: id,
    client_secret: secret,
  });
  const reply = await fetch(`${served.url}/oauth2/token`, { method: 'POST', body });
  return [reply.status, (await reply.json()) as Fields] as const;
}

describe('The page on the backend API', () => {
  it('makes an app that signs users in, replaces its secret and removes it', async () => {
    const { user_id } = await served.provider.signIn('apps@example.com');
    await backend('PUT', `/users/${String(user_id)}`, { trusted_metadata: { plan: 'team' } });
    const { id, secret } = await sample.registerApp('Planner', CALLBACK);
    const [status, tokens] = await authorize(String(user_id), id, secret);
    expect(status).toBe(200);
    expect(tokens['expires_in']).toBe(15 * 60);
    const claims = decodeJwt(String(tokens['access_token']));
    expect(claims).toMatchObject({
      sub: user_id,
      plan: 'team',
      aud: expect.arrayContaining(['https://api.example.com']),
    });

    const next = await sample.replaceSecret(id);
    expect((await authorize(String(user_id), id, secret))[0]).toBe(200);
    expect((await authorize(String(user_id), id, next.secret))[0]).toBe(200);
    await next.finish();
    expect((await authorize(String(user_id), id, secret))[0]).toBe(401);
    expect((await authorize(String(user_id), id, next.secret))[0]).toBe(200);

    await sample.removeApp(id);
    expect(await backend('POST', '/idp/oauth/authorize/start', { client_id: id })).toHaveProperty('error_type');
    expect((await authorize(String(user_id), id, next.secret))[0]).not.toBe(200);
  });

  it('names every field of an app that can be given', () => {
    const page = readFileSync(join(ROOT, 'docs/backend-api.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` \|/gmu)].map(([, name = '']) => name);
    expect(rows).toEqual(expect.arrayContaining(Object.keys(connectedApps.create.body)));
  });

  it.each([
    ['access_token_expiry_minutes', [4, 61]],
    ['client_name', ['', 'x'.repeat(121)]],
    ['client_description', ['x'.repeat(501)]],
    ['access_token_custom_audience', ['x'.repeat(257), 'two words']],
    ['full_access_allowed', [true]],
    ['bypass_consent_for_offline_access', [true]],
  ])('gives the bounds of %s: %j are refused', async (field, values) => {
    for (const value of values) {
      const body = { client_type: 'third_party', [field]: value };
      const refused = await backend('POST', '/connected_apps/clients', body);
      expect(refused).toMatchObject({ error_type: 'bad_request', error_details: { [field]: expect.anything() } });
    }
  });
});
