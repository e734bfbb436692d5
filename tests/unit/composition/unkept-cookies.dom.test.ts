import { afterEach, describe, expect, it, vi } from 'vitest';
import { PorticoClient, type ClientOptions } from '#composition/headless.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const clients: PorticoClient[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.destroy()));

/** The warnings about cookies of a client with those of the page. */
async function warningsOf(options: ClientOptions = {}) {
  const { cookies: _, ...tab } = new TestWorld().tab('http://localhost:3000/');
  const client = new PorticoClient(TOKEN, { telemetry: false, ...options, adapters: { ...tab, ...options.adapters } });
  clients.push(client);
  await client.otps.email.loginOrCreate('ada@example.com').catch(() => undefined);
  return tab.log.messages('warn').filter((text) => text.includes('keeps no cookie'));
}

describe('a browser that keeps no cookies', () => {
  it('is told to the developer, with the options that may be wrong', async () => {
    vi.spyOn(document, 'cookie', 'set').mockImplementation(() => undefined);
    expect(await warningsOf({ cookieOptions: { domain: 'other.example', path: '/app' } })).toEqual([
      expect.stringMatching(
        /^The browser keeps no cookie with the domain other\.example and the path \/app: .*cookieOptions/u,
      ),
    ]);
  });

  it('may refuse to be asked, as in a sandboxed frame: the client works without them', async () => {
    vi.spyOn(document, 'cookie', 'get').mockImplementation(() => {
      throw new DOMException('sandboxed', 'SecurityError');
    });
    expect(await warningsOf()).toEqual([expect.stringContaining('The browser keeps no cookie with the path /: ')]);
  });

  it('is no other one, and leaves nothing behind', async () => {
    expect(await warningsOf()).toEqual([]);
    expect(document.cookie).not.toContain('portico_probe');
  });

  it('is no page with an adapter of its own', async () => {
    vi.spyOn(document, 'cookie', 'set').mockImplementation(() => undefined);
    const { cookies } = new TestWorld().tab('http://localhost:3000/');
    expect(await warningsOf({ adapters: { cookies } })).toEqual([]);
  });
});
