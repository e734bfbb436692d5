import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve, type LocalServer } from '#scripts/lib/net.ts';
import { serveDemo } from '#scripts/serve-demo.ts';
import { docsHandler } from '#scripts/serve-docs.ts';

describe('the server of the demo', () => {
  let dir = '';
  let demo: LocalServer;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'portico-demo-'));
    writeFileSync(join(dir, 'index.html'), '<p>The demo');
    writeFileSync(join(dir, 'gone.js'), 'let gone;');
    demo = await serveDemo({ port: 0, providerUrl: 'http://localhost:1', dir });
  });
  afterAll(async () => {
    await demo.close();
    rmSync(dir, { recursive: true });
  });

  const get = async (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      request(`${demo.url}${path}`, { headers }, (reply) => {
        text(reply).then((body) => resolve({ status: reply.statusCode, body }), reject);
      })
        .on('error', reject)
        .end();
    });

  it.each(['bytes=5-2', 'bytes=-1e9', 'bytes=x', 'bytes=99999-'])(
    'answers the range %s with the page',
    async (range) => {
      expect(await get('/', { range })).toEqual({ status: 200, body: '<p>The demo' });
    },
  );

  it('goes on when a build has removed a file', async () => {
    rmSync(join(dir, 'gone.js'));
    expect((await get('/gone.js')).status).toBe(404);
    expect((await get('/')).status).toBe(200);
  });

  it('shows sources under names of this machine only', async () => {
    expect((await get('/files/package.json')).status).toBe(200);
    expect((await get('/files/package.json', { host: 'app.localhost:3000' })).status).toBe(200);
    expect((await get('/files/package.json', { host: 'evil.example' })).status).toBe(404);
    expect((await get('/files/package.json', { host: '@' })).status).toBe(404);
  });
});

describe('the server of the documentation', () => {
  it('says by the status that there is no such page', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'portico-docs-'));
    writeFileSync(join(dir, 'index.html'), '<p>Documentation');
    const docs = await serve(docsHandler(Promise.resolve(), dir), 0);
    try {
      expect((await fetch(`${docs.url}/docs/`)).status).toBe(200);
      const unknown = await fetch(`${docs.url}/docs/nothing`);
      expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('Page not found')]);
      writeFileSync(join(dir, '404.html'), '<p>Rendered');
      expect(await (await fetch(`${docs.url}/docs/nothing`)).text()).toBe('<p>Rendered');
    } finally {
      await docs.close();
      rmSync(dir, { recursive: true });
    }
  });
});
