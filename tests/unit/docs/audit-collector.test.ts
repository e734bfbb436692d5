import { createServer, type Server } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startAuditStream } from '#provider/operation/audit-stream/audit-stream.ts';
import { systemClock } from '#provider/base/platform.ts';
import { ANY_DATABASE, makeProvider, MINUTE, type Provider } from '../../../provider/tests/kit/harness.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { exampleNamed } from './examples.ts';

interface Sample {
  receive(request: Request): Promise<Response>;
}

const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-audit-'));
let server: Server;
let provider: Provider;
let sample: Sample;
/** Whether the next batch is lost on its way to the collector, which nobody notices. */
let loses = false;
const shown: string[] = [];

beforeAll(async () => {
  vi.stubEnv('AUDIT_SECRET', SECRET);
  const file = join(dir, 'audit-collector.ts');
  writeFileSync(file, exampleNamed('audit-collector.ts').source);
  sample = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Sample;
  const answer = async (request: Request): Promise<Response> => {
    if (!loses) return sample.receive(request);
    loses = false;
    return new Response(null, { status: 204 });
  };
  server = createServer((request, response) => void getRequestListener(answer, { overrideGlobalObjects: false })(request, response)); // prettier-ignore
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  provider = await makeProvider(ANY_DATABASE);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
  server.closeAllConnections();
  server.close();
  await provider.close();
});

it('the collector of the page on operating stores every event once, and reports those that are missing', async () => {
  for (const method of ['log', 'warn'] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => void shown.push(line));
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const audit_stream = { url, secret: SECRET, authorization: null, private: true };
  const project = { ...provider.services.project, audit_stream };
  const patience = { pollMs: 5, retryMs: 5, longestMs: 20 };
  const logIn = async (email: string): Promise<void> => {
    await provider.signIn(email);
    provider.clock.time += MINUTE;
  };
  const count = (part: string): number => shown.filter((line) => line.includes(part)).length;
  const stream = startAuditStream({ ...provider.services, project }, systemClock, patience);
  await logIn('first@example.com');
  await vi.waitFor(() => expect(count('"event_code":"login"')).toBe(1), { interval: 5 });
  loses = true;
  await logIn('second@example.com');
  await vi.waitFor(() => expect(loses).toBe(false), { interval: 5 });
  await logIn('third@example.com');
  await vi.waitFor(() => expect(count('"event_code":"login"')).toBe(2), { interval: 5 });
  await stream?.stop();
  expect(shown.filter((line) => !line.startsWith('{'))).toEqual([
    expect.stringMatching(/^events are missing between \d+ and \d+$/u),
  ]);
  const forged = new Request(url, { method: 'POST', body: '[]', headers: { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' } }); // prettier-ignore
  await expect(sample.receive(forged)).rejects.toThrow();
});
