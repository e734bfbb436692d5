import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { providerCheck } from '#tests/openapi/checked.ts';
import description from '../../openapi.json?raw';
import { ANY_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';

describe('the OpenAPI description', () => {
  let provider: Provider;
  beforeAll(async () => (provider = await makeProvider(ANY_DATABASE)));
  afterAll(() => provider.close());
  const get = async (headers: Record<string, string> = {}) =>
    provider.app.request('http://localhost:4100/openapi.json', { headers });

  it('is served to pages of every origin, and kept by caches', async () => {
    const reply = await get({ origin: 'https://tools.example' });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(await reply.text()).toBe(description);
    const again = await get({ 'if-none-match': reply.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('describes every route of its APIs', () => {
    const check = providerCheck();
    const app = createApp({ ...provider.services, dev: false, loopback: false, adminSecret: 'x' });
    const paths = app.routes.map(({ path }) => path).filter((path) => !path.endsWith('*') && check.covers(path));
    const served = paths.map((path) => path.replaceAll(/:(\w+)/gu, '{$1}'));
    expect(served.length).toBeGreaterThan(150);
    expect([...new Set(served)].sort()).toEqual([...check.paths].sort());
  });
});
