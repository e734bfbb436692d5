import { afterEach, describe, expect, it, vi } from 'vitest';
import { PorticoClient, type SDKAPIUnreachableError } from '#composition/headless.ts';
import { unreachable } from '#domain/errors.ts';
import { MemoryLog } from '#kit/ports/memory-log.ts';
import { TOKEN } from '../application/world.ts';

const API = 'http://localhost:4999';
const REFUSED = {
  status_code: 403,
  error_type: 'unregistered_origin',
  error_message: 'This origin is not registered.',
};
const clients: PorticoClient[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A client of the page, whose requests with credentials fail. `probe` answers those without. */
function open(
  probe: (init: RequestInit) => Response,
  failure = new TypeError('Failed to fetch'),
  address: { readonly apiUrl?: string } = { apiUrl: API },
) {
  const seen: RequestInit[] = [];
  const probed = new Set<string>();
  const fetch = vi.fn((request: Request | string, init: RequestInit = {}) => {
    if (typeof request !== 'string') return Promise.reject(failure);
    seen.push(init);
    probed.add(request);
    try {
      return Promise.resolve(probe(init));
    } catch (error) {
      return Promise.reject(error);
    }
  });
  vi.spyOn(window, 'fetch').mockImplementation(fetch as never);
  const log = new MemoryLog();
  const client = new PorticoClient(TOKEN, { ...address, adapters: { log }, telemetry: false });
  clients.push(client);
  const failed = async (): Promise<SDKAPIUnreachableError> =>
    client.session.authenticate({ session_duration_minutes: 5 }).then(
      () => Promise.reject(new Error('it was answered')),
      (error: unknown) => error as SDKAPIUnreachableError,
    );
  const warnings = async () => {
    await vi.waitFor(() => expect(log.messages('warn')).not.toEqual([]), 10_000);
    return log.messages('warn');
  };
  return { client, failed, log, seen, probed, warnings };
}

const nobody = (): never => {
  throw new TypeError('Failed to fetch');
};

describe('a request without an answer', () => {
  it('has the address and what is known, beside the exact text', async () => {
    const { failed, probed, warnings } = open(nobody);
    expect(await failed()).toMatchObject({
      message: 'Unable to contact our servers.',
      reason: 'network',
      url: expect.stringContaining(`${API}/sdk/v1/`),
      problem: 'no-answer',
    });
    await warnings();
    // A call that answers each page of the project with 200, so that the browser reports no failure of its own.
    expect([...probed]).toEqual([`${API}/sdk/v1/projects/bootstrap/${TOKEN}`]);
  });

  it('shows that the browser is offline, and logs nothing', async () => {
    vi.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(false);
    const { failed, log, seen } = open(nobody);
    expect(await failed()).toMatchObject({ problem: 'offline' });
    await new Promise((done) => setTimeout(done, 300));
    expect([log.messages('warn'), seen]).toEqual([[], []]);
  });

  it('shows where to look when nothing answers, once', async () => {
    const { failed, warnings } = open(nobody);
    await failed();
    await failed();
    const [first, ...others] = await warnings();
    expect(first).toContain(`Nothing answers at ${API}. Is the server running there, are the scheme (http or https)`);
    expect(first).not.toContain('apiUrl');
    expect(others).toEqual([]);
  });

  it('shows that apiUrl is not set, when nothing answers at the hosted service', async () => {
    const { failed, warnings } = open(nobody, undefined, {});
    await failed();
    expect((await warnings())[0]).toMatch(
      /^Nothing answers at https:.* apiUrl is not set: for your own provider, set it/u,
    );
  });

  it('names the refusal of the origin, which the page reads without credentials', async () => {
    const { failed, warnings, seen } = open(() => Response.json(REFUSED, { status: 403 }));
    await failed();
    expect(await warnings()).toEqual([
      `${API} refuses this page. This origin is not registered. Add ${location.origin} to "origins" of the provider's project file.`,
    ]);
    expect(seen.map(({ credentials, headers }) => [credentials, headers])).toEqual([['omit', undefined]]);
  });

  it('shows that another server answers, where only a request without CORS does', async () => {
    const { failed, warnings } = open(({ mode }) => (mode === 'no-cors' ? new Response() : nobody()));
    await failed();
    expect((await warnings())[0]).toContain(`${API} answers, but not to pages of ${location.origin}.`);
  });

  it('shows that the time limit passed', async () => {
    const { failed, warnings } = open(nobody, new DOMException('no answer', 'TimeoutError'));
    expect(await failed()).toMatchObject({ problem: 'timeout' });
    expect((await warnings())[0]).toContain(`${API} did not answer in time`);
  });
});

describe('a server that is not the API', () => {
  it.each([
    ['a page', new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
    ['a page with an error', new Response('<html>', { status: 405, headers: { 'content-type': 'text/html' } })],
    ['other JSON', Response.json({ hello: 'world' })],
    ['no JSON', new Response('', { headers: { 'content-type': 'application/json' } })],
  ])('answers with %s: the error has the address, and the console asks once for apiUrl', async (_, answer) => {
    vi.spyOn(window, 'fetch').mockImplementation(async () => answer.clone());
    const log = new MemoryLog();
    const client = new PorticoClient(TOKEN, { apiUrl: API, adapters: { log }, telemetry: false });
    clients.push(client);
    const call = client.session.authenticate({ session_duration_minutes: 5 });
    const url = `${API}/sdk/v1/sessions/authenticate`;
    await expect(call).rejects.toMatchObject({ kind: 'unreachable', url });
    await expect(client.otps.email.loginOrCreate('ada@example.com')).rejects.toMatchObject({ kind: 'unreachable' });
    await vi.waitFor(() => expect(log.messages('warn')).not.toEqual([]));
    await new Promise((done) => setTimeout(done, 50));
    const said = log.messages('warn').filter((text) => text.includes('did not answer like the API'));
    expect(said).toEqual([expect.stringContaining('Is apiUrl the address of the provider')]);
  });
});

describe('a file that cannot be loaded', () => {
  const FILE = 'http://localhost:3000/vendor/portico/chunks/standalone-login-x1.js';

  it.each([
    [`Failed to fetch dynamically imported module: ${FILE}`, FILE],
    [`error loading dynamically imported module: ${FILE}`, FILE],
    ['Importing a module script failed.', null],
  ])('is named by the error: %s', (message, url) => {
    expect(unreachable(new TypeError(message))).toMatchObject({ reason: 'network', problem: 'file', url });
  });
});
