import { afterEach, expect, it, vi } from 'vitest';
import '#composition/lazy/explain-failure.ts';
import { PorticoClient } from '#composition/headless.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

let client: PorticoClient | undefined;
afterEach(() => {
  client?.destroy();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each([
  ['refuses its origin', () => Response.json({ error_type: 'unregistered_origin', error_message: 'No.' })],
  ['answers other pages', (init: RequestInit) => init.mode === 'no-cors' && new Response()],
])(
  'a page without Web Cryptography or cookies, whose server %s, logs that it needs https and no more',
  async (_, probe) => {
    vi.stubGlobal('crypto', { getRandomValues: (words: Uint32Array) => words });
    vi.spyOn(document, 'cookie', 'set').mockImplementation(() => undefined);
    let probes = 0;
    vi.spyOn(window, 'fetch').mockImplementation(async (request, init = {}) => {
      const found = typeof request === 'string' && probe(init);
      if (typeof request === 'string') probes += 1;
      if (found) return found;
      throw new TypeError('Failed to fetch');
    });
    const { log } = new TestWorld().tab('http://localhost:3000/');
    client = new PorticoClient(TOKEN, { apiUrl: 'https://login.example.com', telemetry: false, adapters: { log } });
    await client.otps.email.loginOrCreate('ada@example.com').catch(() => undefined);
    await vi.waitFor(() => expect(probes).toBeGreaterThan(0));
    await new Promise((done) => setTimeout(done, 50));
    expect(log.messages('warn')).toEqual([expect.stringContaining('serve this page with https, or on localhost.')]);
  },
);
