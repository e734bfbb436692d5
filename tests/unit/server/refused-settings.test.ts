import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { createVerifier, type VerifierOptions } from '#composition/server.ts';
import { MemoryLog } from '#kit/ports/memory-log.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../../../provider/tests/kit/harness.ts';
import { bearer } from './issuer.ts';

const API_URL = 'http://localhost:4100';
const { project_id: projectId } = DEMO_PROJECT;
let provider: Provider;
let token = '';
let jwt = '';

beforeAll(async () => {
  provider = await makeProvider(ANY_DATABASE);
  const session = await provider.signIn('settings@example.com');
  [token, jwt] = [String(session['session_token']), String(session['session_jwt'])];
});
afterAll(async () => provider.close());

function open(options: Partial<VerifierOptions>) {
  const log = new MemoryLog();
  const fetch = async (url: string, init: RequestInit) => provider.app.request(url, init);
  return { log, verifier: createVerifier({ projectId, apiUrl: API_URL, fetch, adapters: { log }, ...options }) };
}

describe('a verifier whose setting the API refuses', () => {
  it.each([
    ['secret', { secret: 'secret-test-wrong' }, () => token],
    ['secret', { secret: 'secret-test-wrong', projectId: 'project-test-wrong' }, () => token],
    ['publicToken', { publicToken: 'public-token-test-wrong' }, () => token],
    ['projectId', { projectId: 'project-test-wrong' }, () => jwt],
  ])('names %s in its result, and once in the log, without the secret', async (setting, options, secret) => {
    const { verifier, log } = open(options);
    for (let times = 0; times < 3; times += 1) {
      expect(await verifier.authenticateRequest(bearer(secret()))).toMatchObject({ status: 'unavailable', setting });
    }
    expect(log.entries).toHaveLength(1);
    expect(log.messages('error')[0]).toContain(setting);
    expect(JSON.stringify(log.entries)).not.toContain('wrong');
  });

  it('is not what an outage looks like', async () => {
    const fetch = async () => Promise.resolve(new Response('bad gateway', { status: 502 }));
    const { verifier, log } = open({ secret: 'secret-test-x', fetch });
    for (const secret of [token, jwt]) {
      const found = await verifier.authenticateRequest(bearer(secret));
      expect(found).toMatchObject({ status: 'unavailable' });
      expect(found).not.toHaveProperty('setting');
    }
    expect(log.entries.filter(({ message }) => /no project|this secret/u.test(message))).toEqual([]);
  });

  it('is not what the end of a session looks like', async () => {
    const { verifier, log } = open({ publicToken: DEMO_PROJECT.public_token });
    expect(await verifier.authenticateRequest(bearer('a'.repeat(token.length)))).toMatchObject({
      status: 'signed-out',
    });
    expect(log.entries).toEqual([]);
  });
});

describe('a verifier whose API does not answer', () => {
  it.each([
    ['the API', () => token, API_URL],
    ['the keys', () => jwt, `${API_URL}/sdk/v1/sessions/jwks/${projectId}`],
  ])('names the address of %s once in the log', async (_, secret, address) => {
    const fetch = async () => Promise.reject(new TypeError('fetch failed'));
    const { verifier, log } = open({ publicToken: DEMO_PROJECT.public_token, fetch });
    for (let times = 0; times < 3; times += 1) {
      expect(await verifier.authenticateRequest(bearer(secret()))).toMatchObject({ status: 'unavailable' });
    }
    expect(log.messages('error')).toEqual([
      expect.stringContaining(`createVerifier: ${address} gives no usable answer`),
    ]);
  });
});
