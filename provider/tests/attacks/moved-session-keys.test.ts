import { exportJWK, generateKeyPair, importJWK, type CryptoKey } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { publishKeys } from '../kit/key-host.ts';
import { uniqueEmail } from './attacker.ts';
import { makeMoving, REFUSED } from './moving-steps.ts';

const stranger = await generateKeyPair('RS256', { extractable: true });

describe.each(EITHER_DATABASE)('the keys that an old system publishes, on %s', (_, url) => {
  let host: DocumentHost;
  let moving: Awaited<ReturnType<typeof makeMoving>>;
  beforeAll(async () => {
    host = await documentHost();
    moving = await makeMoving(url, host);
  });
  afterAll(async () => {
    await Promise.all([moving.provider.close(), host.close()]);
  });
  beforeEach(async () => {
    await moving.provider.services.db.deleteFrom('users').execute();
    publish(own());
  });
  const own = () => moving.systems.auth0.system.keys ?? [];
  const importInto = (name: 'auth0') => moving.importInto(name, uniqueEmail('moved'));
  const tokenOf: (typeof moving)['tokenOf'] = (...args) => moving.tokenOf(...args);
  const outcome: (typeof moving)['outcome'] = (...args) => moving.outcome(...args);

  const rotated = async (kid: string) => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256' } };
  };
  const publish = (keys: readonly object[]) => publishKeys(host, '/auth0/jwks.json', keys);
  const fresh = () => (moving.provider.clock.time += 25 * 60 * MINUTE);

  it('are read again for a new key, but not for each invented one', async () => {
    const user_id = await importInto('auth0');
    const next = await rotated('next');
    await outcome('auth0', await tokenOf('auth0'));
    const before = host.reads();
    for (let times = 0; times < 20; times += 1) {
      const header = { kid: `invented-${times}` };
      expect(await outcome('auth0', await tokenOf('auth0', {}, { key: stranger.privateKey, header }))).toBe(REFUSED);
    }
    expect(host.reads() - before).toBeLessThanOrEqual(1);
    moving.provider.clock.time += MINUTE;
    publish([...own(), next.jwk]);
    const byNext = { key: next.privateKey, header: { kid: 'next' } };
    expect(await outcome('auth0', await tokenOf('auth0', {}, byNext))).toBe(user_id);
  });

  it('stay in use for a day while they cannot be read, and then the reply is another one than a refusal', async () => {
    const user_id = await importInto('auth0');
    publish(own());
    fresh();
    fresh();
    expect(await outcome('auth0', await tokenOf('auth0'))).toBe(user_id);
    host.answer('/auth0/jwks.json', (_request, response) => response.writeHead(503).end());
    moving.provider.clock.time += 20 * 60 * MINUTE;
    expect(await outcome('auth0', await tokenOf('auth0'))).toBe(user_id);
    fresh();
    fresh();
    const { status, body, headers } = await moving.attestBy('auth0', await tokenOf('auth0'));
    expect([status, body['error_type'], headers.get('retry-after')]).toEqual([503, 'service_unavailable', '30']);
    moving.provider.clock.time += MINUTE;
    publish(own());
    expect(await outcome('auth0', await tokenOf('auth0'))).toBe(user_id);
  });

  it.each<[string, (target: string) => Parameters<DocumentHost['answer']>[1]]>([
    ['redirect', (target) => (_request, response) => response.writeHead(302, { Location: target }).end()],
    ['are larger than 64 kB', () => (_request, response) => response.end(`{"keys":[],"x":"${'x'.repeat(70_000)}"}`)],
    ['are X.509 certificates', () => (_request, response) => response.end('{"kid":"-----BEGIN CERTIFICATE-----"}')],
    ['are no JSON', () => (_request, response) => response.end('<html>')],
  ])('are not read if they %s', async (_name, answer) => {
    await importInto('auth0');
    const target = publishKeys(host, '/target.json', own());
    host.answer('/auth0/jwks.json', answer(target));
    fresh();
    fresh();
    fresh();
    expect(await outcome('auth0', await tokenOf('auth0'))).toBe('service_unavailable');
    publish(own());
    moving.provider.clock.time += MINUTE;
  });

  it('count only as public keys', async () => {
    await importInto('auth0');
    const secret = { kty: 'oct', kid: 'own', alg: 'HS256', k: 'c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0' };
    const leaked = { ...(await exportJWK(stranger.privateKey)), kid: 'leaked', alg: 'RS256' };
    publish([secret, leaked, { kty: 'unknown' }]);
    fresh();
    const key = Buffer.from('secretsecretsecretsecret');
    expect(await outcome('auth0', await tokenOf('auth0', {}, { key, header: { alg: 'HS256', kid: 'own' } }))).toBe(
      REFUSED,
    );
    const byLeaked = { key: (await importJWK(leaked, 'RS256')) as CryptoKey, header: { kid: 'leaked' } };
    expect(await outcome('auth0', await tokenOf('auth0', {}, byLeaked))).toBe(REFUSED);
    publish(own());
    fresh();
  });
});
