import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { readClientDocument } from '#provider/apps/idp/clients/client-documents.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { challenge, ISSUER, makeApps, PAGE, SETTINGS, visited, type Apps } from '../kit/idp-harness.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const AGENTS = { metadata_documents: true, most_unused: 5 };

/** The address of a document is a stranger's: it must lead this server nowhere inside, and hold it up nowhere. */
describe.each(EITHER_DATABASE)('the address of a metadata document as a weapon, on %s', (_, url) => {
  let apps: Apps;
  /** Without `--dev`. */
  let live: Provider;
  let host: DocumentHost;
  beforeAll(async () => {
    host = await documentHost();
    apps = await makeApps(url, { agents: AGENTS });
    // In soaks the limit of the product, else a smaller one: every request costs time.
    const documentsPerNetwork = { ...DEFAULT_LIMITS.documentsPerNetwork, ...(SOAK ? {} : { max: 12 }) };
    const limits = { ...DEFAULT_LIMITS, documentsPerNetwork };
    live = await makeProvider(url, { project: projectFrom({ ...SETTINGS, agents: AGENTS }), dev: false, limits });
  });
  afterAll(async () => {
    await Promise.all([apps.provider.close(), live.close(), host.close()]);
  });

  const fields = (client_id: string): Fields => ({
    client_id,
    redirect_uri: 'http://127.0.0.1:5000/callback',
    response_type: 'code',
    scope: 'openid',
    code_challenge: challenge,
  });
  const visit = async (client_id: string, by = apps.provider) => {
    const target = new URL(`${ISSUER}/oauth2/authorize?${new URLSearchParams(fields(client_id)).toString()}`);
    const { location, text, status } = await visited(by, target);
    return { isPage: location?.href.startsWith(PAGE) === true, text, status };
  };
  const stored = async (by = apps.provider) => {
    const rows = await by.services.db.selectFrom('agents').select('client_id').execute();
    return rows.map(({ client_id }) => client_id);
  };

  const INSIDE: readonly (readonly [name: string, address: (port: string) => string])[] = [
    ['a name that leads to this machine', (port: string) => `https://localhost:${port}/client`],
    ['this machine', (port: string) => `https://127.0.0.1:${port}/client`],
    ['this machine in IPv6', (port: string) => `https://[::1]:${port}/client`],
    ['this machine, embedded', (port: string) => `https://[::ffff:7f00:1]:${port}/client`],
    ['plain text to this machine', (port: string) => `http://127.0.0.1:${port}/client`],
    ['every address of this machine', (port: string) => `https://0.0.0.0:${port}/client`],
    ['every address of this machine in IPv6', (port: string) => `https://[::]:${port}/client`],
    ['this machine in decimal', (port: string) => `https://2130706433:${port}/client`],
    ['this machine in short', (port: string) => `https://127.1:${port}/client`],
    ['a name that ends with a dot', (port: string) => `https://localhost.:${port}/client`],
    ['this machine behind NAT64', (port: string) => `https://[64:ff9b::7f00:1]:${port}/client`],
    ['this machine behind a local NAT64', (port: string) => `https://[64:ff9b:1::7f00:1]:${port}/client`],
    ['this machine behind 6to4', (port: string) => `https://[2002:7f00:1::]:${port}/client`],
    ['a private network', () => 'https://10.0.0.1/client'],
    ['the metadata of a cloud', () => 'https://169.254.169.254/latest/meta-data'],
    ['the metadata of a cloud in IPv6', () => 'https://[fd00:ec2::254]/latest'],
  ];
  it.each(oneOf(3, INSIDE))('reaches nothing inside: %s', async (_name, address) => {
    const before = host.connections();
    const id = address(new URL(host.origin).port);
    const { isPage, text } = await visit(id, live);
    expect([isPage, host.connections() - before, await stored(live)]).toEqual([false, 0, []]);
    expect(text).toMatch(/invalid_client_document|connected_app_not_found/u);
    // The same address with `--dev` and in plain text is read, so the check made the difference.
    expect((await visit(host.publish('/dev.json'))).isPage).toBe(true);
  });

  it('reaches nothing inside when the request is pushed, or a token is asked for', async () => {
    const id = `https://localhost:${new URL(host.origin).port}/client`;
    const before = host.connections();
    const post = async (path: string, body: Fields) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const request = { method: 'POST', headers, body: new URLSearchParams(body).toString() };
      const reply = await live.app.request(`${ISSUER}/oauth2${path}`, request);
      return { status: reply.status, body: (await reply.json()) as Fields };
    };
    const pushed = await post('/par', fields(id));
    expect(pushed).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const token = await post('/token', { grant_type: 'authorization_code', code: 'x', client_id: id });
    expect(token).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect([host.connections() - before, await stored(live)]).toEqual([0, []]);
  });

  it('follows no redirect, wherever it leads', async () => {
    const target = host.publish('/target.json');
    const before = host.reads();
    for (const status of [301, 302, 303, 307, 308]) {
      const id = host.answer(`/redirect-${status}`, (_request, response) =>
        response.writeHead(status, { Location: target, 'Content-Type': 'application/json' }).end(),
      );
      const { isPage, text } = await visit(id);
      expect([isPage, text.includes(`answered with status ${status}`)]).toEqual([false, true]);
    }
    expect(host.reads() - before).toBe(5);
  });

  it('does not read ten megabytes', async () => {
    let sent = 0;
    const big = host.answer('/big', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.on('error', () => undefined);
      const more = (): void => {
        while (!response.destroyed && sent < 10_000_000) {
          sent += 50_000;
          if (!response.write('x'.repeat(50_000))) break;
        }
        if (!response.destroyed && sent < 10_000_000) response.once('drain', more);
        else response.end();
      };
      more();
    });
    const { isPage, text } = await visit(big);
    expect([isPage, text.includes('larger than 10 kB')]).toEqual([false, true]);
    expect(sent).toBeLessThan(10_000_000);
  });

  soakIt('does not wait for a body that never ends', async () => {
    const slow = host.answer('/slow', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    });
    expect((await visit(slow)).text).toContain('did not answer in time');
  });

  it.each([
    ['a dot segment', (origin: string) => `${origin}/a/../client`],
    ['an encoded dot segment', (origin: string) => `${origin}/%2e%2e/client`],
    ['no path', (origin: string) => `${origin}/`],
    ['a user', (origin: string) => `${origin.replace('//', '//user:secret@')}/client`],
    ['a fragment', (origin: string) => `${origin}/client#a`],
    ['a query', (origin: string) => `${origin}/client?a`],
    ['a backslash', (origin: string) => `${origin}\\client`],
    ['capital letters', (origin: string) => `${origin.replace('localhost', 'LOCALHOST')}/client`],
    ['three hundred characters', (origin: string) => `${origin}/${'a'.repeat(300)}`],
  ])('has one spelling alone: not %s', async (_name, spell) => {
    const before = host.reads();
    expect(await visit(spell(host.origin))).toMatchObject({ isPage: false });
    expect(host.reads()).toBe(before);
  });

  it('takes no other client’s place', async () => {
    const other = host.publish('/other.json', { client_id: host.publish('/own.json') });
    expect((await visit(other)).text).toContain('client_id in the document');
    // A client of the project file with such an id is the operator's.
    const id = `${host.origin}/own.json`;
    const before = host.reads();
    const clients = apps.provider.services.project.clients as ConnectedAppSettings[];
    const [first] = clients;
    if (first !== undefined) clients.push({ ...first, client_id: id, name: 'Own' });
    const { text } = await visit(id);
    clients.pop();
    expect([text.includes('invalid_redirect_uri'), host.reads() - before]).toEqual([true, 0]);
  });

  it('fills no table: the oldest that nobody uses make room, those in use stay', async () => {
    const used = host.publish('/in-use.json');
    const { location } = await apps.visit('/authorize', fields(used));
    const asked = Object.fromEntries(location?.searchParams ?? []);
    await apps.submit({ ...asked, scopes: ['openid'] });
    const ids = Array.from({ length: SOAK ? 40 : 10 }, (_each, index) => host.publish(`/flood-${index}.json`));
    await Promise.all(ids.map(async (id) => visit(id)));
    const left = await stored();
    expect(left.length).toBeLessThanOrEqual(AGENTS.most_unused + 1);
    expect(left).toContain(used);
  });

  soakIt('is read ten times at once into one client', async () => {
    const id = host.publish('/at-once.json');
    const visits = await Promise.all(Array.from({ length: 10 }, async () => visit(id)));
    expect(visits.every(({ isPage }) => isPage)).toBe(true);
    expect((await stored()).filter((each) => each === id)).toEqual([id]);
  });

  soakIt('makes this server no weapon against other hosts: one network has few documents read', async () => {
    const { max } = live.services.limits.documentsPerNetwork;
    const there = { incoming: { socket: { remoteAddress: '203.0.113.7' } } };
    const statuses = await Promise.all(
      Array.from({ length: max + 5 }, async (_each, index) => {
        const query = new URLSearchParams({ ...fields(`https://10.0.0.1/${index}`) }).toString();
        return (await live.app.request(`${ISSUER}/oauth2/authorize?${query}`, {}, there)).status;
      }),
    );
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
  });

  soakIt('has few documents of one host read, whatever ports they are on', async () => {
    const { services } = live;
    const limits = { ...services.limits, documentsPerHost: { max: 1, windowMs: MINUTE } };
    const read = async (port: number, from: string) =>
      readClientDocument({ ...services, limits }, `https://10.0.0.9:${port}/client`, from);
    await expect(read(8443, '203.0.113.20')).rejects.toMatchObject({ type: 'invalid_client_document' });
    await expect(read(9443, '203.0.113.21')).rejects.toMatchObject({ type: 'too_many_requests' });
  });

  it('keeps nobody from an agent whose document was read before, when strangers have others of its host read', async () => {
    const { services } = apps.provider;
    const limits = { ...services.limits, documentsPerHost: { max: 2, windowMs: 10 * MINUTE } };
    const read = async (id: string, from: string) => readClientDocument({ ...services, limits }, id, from);
    const id = host.publish('/beside-others.json');
    apps.provider.clock.time += 60 * MINUTE;
    await read(id, '203.0.113.30');
    const use = async () => read(id, '203.0.113.31');
    for (const _each of [1, 2]) {
      // It is old then.
      apps.provider.clock.time += 120 * MINUTE;
      for (const name of ['a', 'b', 'c']) await read(`${host.origin}/none-${name}`, '203.0.113.32').catch(() => null);
      const before = host.reads();
      await expect(use()).resolves.toBeUndefined();
      expect(host.reads()).toBe(before);
    }
    apps.provider.clock.time += 24 * 60 * MINUTE;
    for (const name of ['d', 'e', 'f']) await read(`${host.origin}/none-${name}`, '203.0.113.32').catch(() => null);
    await expect(use()).rejects.toMatchObject({ type: 'too_many_requests' });
  });
});
