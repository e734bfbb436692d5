import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { AGENT_CALLBACK, documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import {
  askedIn,
  CALLBACK,
  challenge,
  makeApps,
  SETTINGS,
  verifier,
  withSecret,
  type Apps,
} from '../kit/idp-harness.ts';
import { appKey, assertionBy, publishKeys } from '../kit/key-host.ts';
import { registrar } from '../kit/registrar.ts';

const DAY = 24 * 60 * MINUTE;
const AGENTS = { registration: 'open', metadata_documents: true, scopes: ['openid', 'email', 'offline_access'] };
const SIGNER = { client_type: 'confidential', name: 'Signer', redirect_uris: [CALLBACK], scopes: ['openid', 'email'] };
const BY_KEY = { token_endpoint_auth_method: 'private_key_jwt', redirect_uris: [AGENT_CALLBACK] };
const first = await appKey('first');
const second = await appKey('second');
/** Whose clients each test names by itself. */
const NAMES = ['usual', 'rotating', 'kidless', 'caching', 'outage', 'at-once', 'recorded'];

describe.each(EITHER_DATABASE)('a client with keys at an address (jwks_uri, RFC 7591), on %s', (_, url) => {
  let apps: Apps;
  let host: DocumentHost;
  const { register, at } = registrar(() => apps.provider);
  beforeAll(async () => {
    host = await documentHost();
    const signers = NAMES.map((name) => ({ ...SIGNER, client_id: name, jwks_uri: `${host.origin}/${name}?v=1` }));
    apps = await makeApps(url, { agents: AGENTS, clients: [...SETTINGS.clients, ...signers] });
  });
  afterAll(async () => {
    await apps.provider.close();
    await host.close();
  });

  const publish = (name: string, keys: readonly object[], headers?: Readonly<Record<string, string>>) =>
    publishKeys(host, `/${name}?v=1`, keys, headers);
  const proof = (client_id: string, key: { readonly kid: string; readonly privateKey: CryptoKey }) =>
    assertionBy(key, client_id, { time: apps.provider.clock.time });
  const status = async (client_id: string, key = first) =>
    (await apps.form('/introspect', { token: 'x', ...(await proof(client_id, key)) })).status;
  const agentCode = async (client_id: string): Promise<string> => {
    const fields = { client_id, redirect_uri: AGENT_CALLBACK, response_type: 'code', code_challenge: challenge };
    const { location } = await apps.visit('/authorize', { ...fields, scope: 'openid offline_access' });
    const asked = askedIn(location ?? new URL('about:blank'));
    return String((await apps.submit(asked)).data['authorization_code']);
  };
  const redeem = async (client_id: string) =>
    apps.form('/token', {
      grant_type: 'authorization_code',
      code: await agentCode(client_id),
      redirect_uri: AGENT_CALLBACK,
      code_verifier: verifier,
      ...(await proof(client_id, first)),
    });

  it('proves itself by them, and has them read once', async () => {
    publish('usual', [first.jwk]);
    const before = host.reads();
    for (let times = 0; times < 3; times += 1) expect(await status('usual')).toBe(200);
    expect(host.reads() - before).toBe(1);
    expect(await apps.form('/introspect', { token: 'x' }, withSecret('usual', 'x'))).toMatchObject({ status: 401 });
  });

  it('signs with a new key at once, and with the old one no more', async () => {
    publish('rotating', [first.jwk]);
    expect(await status('rotating')).toBe(200);
    publish('rotating', [second.jwk]);
    expect(await status('rotating', second)).toBe(200);
    expect(await status('rotating', first)).toBe(401);
    // Without an id every key could be the one.
    publish('kidless', [{ ...first.jwk, kid: undefined }]);
    expect(await status('kidless', { ...first, kid: '' })).toBe(200);
    publish('kidless', [{ ...second.jwk, kid: undefined }]);
    expect(await status('kidless', { ...second, kid: '' })).toBe(200);
  });

  it('has them read again when its Cache-Control says so, within bounds', async () => {
    publish('caching', [first.jwk], { 'Cache-Control': 'max-age=1' });
    expect(await status('caching')).toBe(200);
    const before = host.reads();
    apps.provider.clock.time += 4 * MINUTE;
    expect(await status('caching')).toBe(200);
    expect(host.reads() - before).toBe(0);
    apps.provider.clock.time += 2 * MINUTE;
    expect(await status('caching')).toBe(200);
    expect(host.reads() - before).toBe(1);
  });

  it('proves itself for a day while its host does not answer', async () => {
    publish('outage', [first.jwk]);
    expect(await status('outage')).toBe(200);
    host.answer('/outage?v=1', (_request, response) => void response.destroy());
    apps.provider.clock.time += 2 * 60 * MINUTE;
    expect([await status('outage'), await status('outage', second)]).toEqual([200, 401]);
    apps.provider.clock.time += DAY;
    expect(await status('outage')).toBe(401);
    apps.provider.clock.time += 60 * MINUTE;
    await sweep(apps.provider.services);
    const left = await apps.provider.services.db.selectFrom('client_key_sets').select('client_id').execute();
    expect(left.map(({ client_id }) => client_id)).not.toContain('outage');
    // A host that answers without them has withdrawn them.
    publish('outage', [first.jwk]);
    expect(await status('outage')).toBe(200);
    host.answer('/outage?v=1', (_request, response) => void response.writeHead(404).end());
    apps.provider.clock.time += 2 * 60 * MINUTE;
    expect(await status('outage')).toBe(401);
    await apps.signInAgain();
  });

  it('shares a reading among ten assertions at once', async () => {
    publish('at-once', [first.jwk]);
    const before = host.reads();
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => status('at-once')));
    expect(statuses.every((each) => each === 200)).toBe(true);
    expect(host.reads() - before).toBeLessThan(5);
  });

  it('can be an agent that registered, which changes their address', async () => {
    const jwks_uri = publish('agent', [first.jwk]);
    const { status: made, body } = await register({ ...BY_KEY, jwks_uri });
    expect([made, body['jwks_uri'], body['client_secret']]).toEqual([201, jwks_uri, undefined]);
    const client_id = String(body['client_id']);
    const tokens = await redeem(client_id);
    expect(tokens).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
    const moved = publishKeys(host, '/moved', [second.jwk]);
    expect((await at(body)('PUT', { ...BY_KEY, client_id, jwks_uri: moved })).status).toBe(200);
    expect([await status(client_id), await status(client_id, second)]).toEqual([401, 200]);
  });

  it('can be an agent with a metadata document', async () => {
    const jwks_uri = publish('document-keys', [first.jwk]);
    const id = host.publish('/agent.json', { ...BY_KEY, jwks_uri });
    expect(await redeem(id)).toMatchObject({ status: 200 });
  });

  it.each<[string, Fields, string]>([
    [
      'keys in two places',
      { jwks: { keys: [first.jwk] }, jwks_uri: 'https://agent.example/keys' },
      'jwks and jwks_uri',
    ],
    ['plain http', { jwks_uri: 'http://agent.example/keys' }, 'jwks_uri must be an https URL'],
    ['a script', { jwks_uri: 'javascript:alert(1)' }, 'jwks_uri must be an https URL'],
    ['a user', { jwks_uri: 'https://a:b@agent.example/keys' }, 'jwks_uri must be an https URL'],
    ['no text', { jwks_uri: ['https://agent.example/keys'] }, 'jwks_uri must be'],
    ['no keys', {}, 'private_key_jwt needs a jwks_uri, or a jwks'],
  ])('is refused at its registration for %s', async (_why, fields, message) => {
    const refused = await register({ ...BY_KEY, ...fields });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
    expect(refused.body['error_description']).toContain(message);
  });

  it.each<[string, (uri: string) => string, string]>([
    ['has no key set', () => '[]', 'is not a JSON object'],
    ['has no list', () => '{"keys":{}}', 'has no keys'],
    ['has another key', () => JSON.stringify({ keys: [second.jwk] }), 'does not have the key of the assertion'],
  ])('is told in the record of failed connections that its address %s', async (_why, body, reason) => {
    const { db } = apps.provider.services;
    await db.deleteFrom('connection_failures').execute();
    await db.deleteFrom('client_key_sets').execute();
    host.answer('/recorded?v=1', (_request, response) => response.writeHead(200).end(body('')));
    const refused = await apps.form('/introspect', { token: 'x', ...(await proof('recorded', first)) });
    expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(refused.body['error_description']).not.toContain('key set');
    const failures = await db.selectFrom('connection_failures').selectAll().execute();
    expect(failures).toMatchObject([
      { rule: 'client_keys', client_id: 'recorded', expected: [`${host.origin}/recorded?v=…`] },
    ]);
    expect(failures[0]?.message).toContain(reason);
  });
});

describe('jwks_uri in the project file', () => {
  it.each<[string, object, string]>([
    ['a public client', { client_type: 'public' }, '.jwks_uri must be of a confidential client'],
    ['a client with a secret', { client_secret_hash: tokenHash('x') }, '.jwks_uri must be of a confidential client'],
    ['a client with keys', { jwks: { keys: [first.jwk] } }, '.jwks_uri must be left out beside jwks'],
    ['plain http', { jwks_uri: 'http://signer.example/keys' }, '.jwks_uri must be an https URL'],
  ])('is refused for %s', (_why, fields, message) => {
    const signer = { ...SIGNER, client_id: 'signer', jwks_uri: 'https://signer.example/keys', ...fields };
    expect(() => projectFrom({ ...SETTINGS, clients: [signer] })).toThrow(message);
  });
});
