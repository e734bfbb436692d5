import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBreachedPasswords } from '#provider/operation/store/open-breaches.ts';
import { isBreached } from '#provider/accounts/password-strength/breach-list.ts';
import { BreachRangeApi } from '#provider/accounts/password-strength/breach-range.ts';
import { openBreaches } from '#provider/accounts/password-strength/breach-source.ts';
import { checkPolicy, mustNotBeUsed, strengthOf } from '#provider/accounts/passwords/policy.ts';
import { WorkLine } from '#provider/base/security/work-line.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase();

/** Long enough that the meter finds nothing wrong with them. */
const LEAKED = 'Tr0ub4dor-plus-leaked-elsewhere';
const UNKNOWN = 'quiet-Lantern-52-orbit-Cabbage';
/** In the embedded list. */
const COMMON = 'password';

/** A stand-in for `https://api.pwnedpasswords.com`, as its documentation describes it. */
class RangeService {
  readonly asked: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
  answer: (response: ServerResponse, range: string) => void = (response, range) => response.end(range);
  private readonly server: Server = createServer((request, response) => {
    this.asked.push({ url: request.url ?? '', headers: request.headers });
    const prefix = /^\/range\/([0-9A-F]{5})$/u.exec(request.url ?? '')?.[1];
    if (prefix === undefined) response.writeHead(400).end('The hash prefix was not in a valid format');
    else this.answer(response, this.rangeOf(prefix));
  });

  constructor(private readonly passwords: readonly string[]) {}

  /** With padding: entries whose count is 0. That of an unknown password is there, too. */
  private rangeOf(prefix: string): string {
    const known = this.passwords.map(sha1).filter((hash) => hash.startsWith(prefix));
    const padding = [sha1(UNKNOWN), sha1(`padding ${prefix}`)];
    return [...known.map((hash) => `${hash.slice(5)}:37`), ...padding.map((hash) => `${hash.slice(5)}:0`)].join('\r\n');
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/range/`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describe('a range API', () => {
  let service: RangeService;
  let url: string;
  const warnings: string[] = [];
  beforeEach(async () => {
    warnings.length = 0;
    service = new RangeService([LEAKED]);
    url = await service.open();
  });
  afterEach(() => service.close());
  const list = () => openBreaches(url, (sentence) => warnings.push(sentence));

  it('receives the first five digits of the hash and nothing else, and is asked for padding', async () => {
    const api = await list();
    expect(await isBreached(api, LEAKED)).toBe(true);
    expect(service.asked.map((request) => request.url)).toEqual([`/range/${sha1(LEAKED).slice(0, 5)}`]);
    expect(service.asked[0]?.headers['add-padding']).toBe('true');
    expect(JSON.stringify(service.asked)).not.toContain(sha1(LEAKED).slice(5));
  });

  it('does not know the entries of the padding', async () => {
    expect(await isBreached(await list(), UNKNOWN)).toBe(false);
  });

  it('is called once for the same range, also concurrently', async () => {
    const api = await list();
    expect(await Promise.all([isBreached(api, LEAKED), isBreached(api, LEAKED)])).toEqual([true, true]);
    expect(await isBreached(api, LEAKED)).toBe(true);
    expect(service.asked).toHaveLength(1);
  });

  it.each([
    ['fails', (response: ServerResponse) => response.writeHead(503).end()],
    ['redirects', (response: ServerResponse) => response.writeHead(302, { Location: '/range/00000' }).end()],
    ['answers a page', (response: ServerResponse) => response.end('<!doctype html><p>Log in to this network</p>')],
    ['answers NTLM hashes', (response: ServerResponse) => response.end(`${sha1(LEAKED).slice(5, 32)}:37`)],
    [
      'breaks off',
      (response: ServerResponse) => void response.writeHead(200, { 'Content-Length': '99' }).socket?.end('x'),
    ],
  ])('that %s leaves the embedded list, and a warning without any password', async (_, answer) => {
    service.answer = answer;
    const api = await list();
    expect(await isBreached(api, LEAKED)).toBe(false);
    expect(await isBreached(api, `${LEAKED}2`)).toBe(false);
    expect(await isBreached(api, COMMON)).toBe(true);
    expect(warnings).toEqual([expect.stringMatching(/^the list of breached passwords cannot be read/u)]);
  });

  it('is left alone for half a minute after three failures, and asked again then', async () => {
    const clock = { time: 0, now: () => clock.time };
    const api = new BreachRangeApi(new URL(url), clock);
    const known = (password: string) => isBreached(api, password);
    service.answer = (response) => response.writeHead(500).end();
    for (const word of ['a', 'b', 'c']) await expect(known(word)).rejects.toThrow('500');
    service.answer = (response, range) => response.end(range);
    await expect(known(LEAKED)).rejects.toThrow('a moment ago');
    expect(service.asked).toHaveLength(3);
    clock.time = 30_000;
    expect(await known(LEAKED)).toBe(true);
  });

  it('keeps nobody in the queue of passwords who waits for it, also for the request of another', async () => {
    const line = new WorkLine(1, 9);
    const api = new BreachRangeApi(new URL(url));
    const answers: (() => void)[] = [];
    service.answer = (response, range) => void answers.push(() => response.end(range));
    const known = [1, 2].map(() => line.run(() => isBreached(api, LEAKED)));
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    expect(await line.run(() => Promise.resolve('another'))).toBe('another');
    answers[0]?.();
    expect(await Promise.all(known)).toEqual([true, true]);
    expect(line.running).toBe(0);
  });

  it('keeps a range for an hour', async () => {
    const clock = { time: 0, now: () => clock.time };
    const api = new BreachRangeApi(new URL(url), clock);
    await isBreached(api, LEAKED);
    clock.time = 59 * 60_000;
    await isBreached(api, LEAKED);
    expect(service.asked).toHaveLength(1);
    clock.time = 61 * 60_000;
    await isBreached(api, LEAKED);
    expect(service.asked).toHaveLength(2);
  });
});

describe('a downloaded list', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'portico-breaches-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const written = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const ignored = (): void => undefined;
  const passwords = Array.from({ length: 700 }, (_, index) => `password number ${index}`);
  const lines = passwords.map((password, index) => `${sha1(password)}:${index + 1}`).sort();

  it.each([
    ['line feeds', '\n', '\n'],
    ['carriage returns', '\r\n', '\r\n'],
    ['no line break at its end', '\n', ''],
  ])('in one sorted file, with %s, has each of its passwords and no other', async (_, between, end) => {
    const list = await openBreaches(written('sorted.txt', lines.join(between) + end), ignored);
    try {
      const found = await Promise.all(passwords.map((password) => isBreached(list, password)));
      expect(found.filter(Boolean)).toHaveLength(passwords.length);
      const others = await Promise.all(passwords.map((password) => isBreached(list, `${password}!`)));
      expect(others.filter(Boolean)).toHaveLength(0);
      expect(await list.hasSuffix('00000', '0'.repeat(35))).toBe(false);
      expect(await list.hasSuffix('FFFFF', 'F'.repeat(35))).toBe(false);
    } finally {
      await list.close();
    }
  });

  it('of a single line is found', async () => {
    const list = await openBreaches(written('single.txt', `${sha1(LEAKED).toLowerCase()}:1`), ignored);
    expect([await isBreached(list, LEAKED), await isBreached(list, UNKNOWN)]).toEqual([true, false]);
    await list.close();
  });

  it('in a folder with a file for each prefix is found', async () => {
    const prefix = sha1(LEAKED).slice(0, 5);
    written('00000.txt', `${'0'.repeat(34)}1:1\r\n`);
    written(`${prefix}.txt`, `${sha1(LEAKED).slice(5)}:2\r\n`);
    const warnings: string[] = [];
    const list = await openBreaches(folder, (sentence) => warnings.push(sentence));
    expect(await isBreached(list, LEAKED)).toBe(true);
    expect(warnings).toEqual([]);
    // A folder in which a prefix is missing is not complete.
    expect(await isBreached(list, UNKNOWN)).toBe(false);
    expect(warnings).toHaveLength(1);
  });

  it('that changes while it is open leaves the embedded list', async () => {
    const path = written('changing.txt', lines.join('\n'));
    const warnings: string[] = [];
    const list = await openBreaches(path, (sentence) => warnings.push(sentence));
    truncateSync(path, 0);
    writeFileSync(path, 'x\n'.repeat(100_000));
    expect([await isBreached(list, LEAKED), await isBreached(list, COMMON)]).toEqual([false, true]);
    expect(warnings).toHaveLength(1);
    await list.close();
  });

  it.each([
    ['sorted by count', [...lines].reverse().join('\n'), 'its lines are not sorted by hash'],
    ['of NTLM hashes', lines.map((line) => line.slice(8)).join('\n'), 'its first line does not begin with a SHA-1'],
    ['empty', '', 'its first line does not begin with a SHA-1'],
  ])('%s is refused at the start', async (_, text, reason) => {
    await expect(openBreachedPasswords(written('wrong.txt', text), ignored)).rejects.toThrow(
      `--breached-passwords (PORTICO_BREACHED_PASSWORDS) names no list of breached passwords: ${reason}.`,
    );
  });

  it.each([
    ['http://example.com/range/', 'a range API is an https URL'],
    ['https://user@example.com/range/', 'a range API is an https URL'],
    ['file:///etc/passwd', 'a range API is an https URL'],
    ['/no/such/list', 'it cannot be read (ENOENT)'],
    [tmpdir(), 'it has no file 00000.txt'],
  ])('%s is refused at the start', async (source, reason) => {
    await expect(openBreachedPasswords(source, ignored)).rejects.toThrow(reason);
  });
});

describe('the policy for passwords with a range API', () => {
  const service = new RangeService([LEAKED]);
  let services: Parameters<typeof checkPolicy>[0];
  beforeAll(async () => {
    const breaches = await openBreaches(await service.open(), () => undefined);
    const judge = { judge: () => Promise.resolve({ score: 4, warning: '', suggestions: [] }) };
    services = { project: DEMO_PROJECT, breaches, judge } as never;
  });
  afterAll(() => service.close());

  it('refuses a leaked password while it is chosen, when it is set, and when it is used', async () => {
    expect(await strengthOf(services, LEAKED, undefined)).toMatchObject({
      breached_password: true,
      valid_password: false,
    });
    await expect(checkPolicy(services, LEAKED, undefined)).rejects.toMatchObject({ type: 'breached_password' });
    expect(await mustNotBeUsed(services, LEAKED)).toBe(true);
    expect(service.asked).toHaveLength(1);
  });

  it('accepts another one, and asks nothing for its use where the project does not want it', async () => {
    await checkPolicy(services, UNKNOWN, undefined);
    expect(await mustNotBeUsed(services, UNKNOWN)).toBe(false);
    const project = { ...DEMO_PROJECT, breach_detection: false };
    const before = service.asked.length;
    expect(await mustNotBeUsed({ ...services, project }, `${LEAKED}3`)).toBe(false);
    expect(service.asked).toHaveLength(before);
  });
});
