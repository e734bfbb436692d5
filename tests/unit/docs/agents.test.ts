import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_DATABASE, makeProvider, type Fields, type Provider } from '../../../provider/tests/kit/harness.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { exampleNamed } from './examples.ts';

interface Sample {
  agentOf(accessToken: string): Promise<{ userId: string; agent: string; scopes: readonly string[] }>;
}

const CALLBACK = 'http://127.0.0.1:3456/callback';
const NOTES = 'https://notes.example.com/mcp';

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-agents-'));
let server: Server;
let provider: Provider;
let issuer: string;
let sample: Sample;

/** The project file and the check of the page, with the address of a server on loopback in place of theirs. */
beforeAll(async () => {
  server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const here = (text: string): string => text.replaceAll('https://login.example.com', issuer);
  const project = projectFrom(JSON.parse(here(exampleNamed('agents.json').source)));
  provider = await makeProvider(ANY_DATABASE, { project, clock: { now: () => Date.now() } });
  const listener = getRequestListener(provider.app.fetch, { overrideGlobalObjects: false });
  const file = join(dir, 'agent-tokens.ts');
  writeFileSync(file, here(exampleNamed('agent-tokens.ts').source));
  sample = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Sample;
});
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  server.closeAllConnections();
  server.close();
  await provider.close();
});

/** An agent registers, and the user lets it have a token for the API. */
async function tokenFor(...resources: readonly string[]): Promise<Fields> {
  const registration = await fetch(`${issuer}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }),
  });
  const { client_id } = (await registration.json()) as Fields;
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const named = resources.map((resource): [string, string] => ['resource', resource]);
  const request = { client_id: String(client_id), redirect_uri: CALLBACK, response_type: 'code', code_challenge };
  const query = new URLSearchParams([...Object.entries({ ...request, scope: 'openid read:notes' }), ...named]);
  const visit = await fetch(`${issuer}/oauth2/authorize?${query.toString()}`, { redirect: 'manual' });
  const page = new URL(visit.headers.get('location') ?? '');
  const { scope = '', code_challenge_method: _, ...asked } = Object.fromEntries(page.searchParams);
  const user = await provider.signIn('reader@example.com');
  const body = { ...asked, scopes: scope.split(' '), consent_granted: true };
  const { data } = await provider.post('/idp/oauth/authorize/submit', body, { session: String(user['session_token']) });
  const reply = await fetch(`${issuer}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams([
      ['grant_type', 'authorization_code'],
      ['code', String(data['authorization_code'])],
      ['redirect_uri', CALLBACK],
      ['client_id', String(client_id)],
      ['code_verifier', code_verifier],
      ...named,
    ]),
  });
  return { ...((await reply.json()) as Fields), user_id: user['user_id'], client_id };
}

describe('The pages on MCP servers and on other apps', () => {
  it.each(['mcp-project.json', 'wiki.json'])('%s is a project file with everything that apps need', (file) => {
    const project = projectFrom(JSON.parse(exampleNamed(file).source));
    expect(project.issuer).toBe('https://login.example.com');
    expect(project.idp.authorization_url).toBe('https://app.example.com/authorize');
    expect([...project.clients, ...(project.agents.registration === 'open' ? ['agents'] : [])]).not.toEqual([]);
  });
});

describe('The page on agents', () => {
  it('has a project file that lets an agent in, and a check of its token for the API', async () => {
    const { access_token, user_id, client_id } = await tokenFor(NOTES);
    const read = await sample.agentOf(String(access_token));
    expect(read).toEqual({ userId: user_id, agent: client_id, scopes: ['openid', 'read:notes'] });
  });

  it('has a check that refuses a token for another API', async () => {
    const { access_token } = await tokenFor();
    expect(access_token).toEqual(expect.any(String));
    await expect(sample.agentOf(String(access_token))).rejects.toThrow(/aud/u);
  });

  it('has a check that refuses a token for several APIs, which each of them could present to the others', async () => {
    const { access_token } = await tokenFor(NOTES, issuer);
    expect(access_token).toEqual(expect.any(String));
    await expect(sample.agentOf(String(access_token))).rejects.toThrow('several APIs');
  });
});
