import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { soakDescribe } from '#tests/soak-tests.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { HOST, missing, startProxy, visit, type FrontProxy } from '../kit/front-proxies.ts';
import { basic, PUBLIC_TOKEN } from '../kit/harness.ts';
import { buildServer, startPublicServer, type ServerProcess } from '../kit/server-process.ts';

const NAMES = (['nginx', 'haproxy'] as const).filter((name) => missing(name) === null);
const PAGE = 'https://shop.example';
const PROJECT = {
  issuer: `https://${HOST}`,
  origins: [PAGE],
  redirect_urls: [`${PAGE}/`],
  default_login_redirect_url: `${PAGE}/`,
  default_signup_redirect_url: `${PAGE}/`,
};
/** Each second visitor keeps its connection to the proxy, the others open one for each request. */
const VISITORS = 4;

/** A visitor who sends one request after the other: a `POST`, which no proxy may repeat once it was sent, then a `GET`. */
function visitorOf(proxy: FrontProxy, number: number) {
  const agent = number % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
  const ending = new AbortController();
  const wrong: string[] = [];
  let answered = 0;
  const headers = { authorization: basic(PUBLIC_TOKEN, 'x'), 'content-type': 'application/json', origin: PAGE };
  const check = { path: '/sdk/v1/sessions/authenticate', body: '{}', headers };
  const keys = { path: '/.well-known/jwks.json' };
  const done = (async () => {
    for (let turn = 0; !ending.signal.aborted; turn += 1) {
      const [asked, status] = turn % 2 === 0 ? [check, 401] : [keys, 200];
      const reply = visit({ port: proxy.port, ...asked, ...(agent === undefined ? {} : { agent }) });
      const seen = await reply
        .then((each) => (each.status === status ? null : `${each.status} ${each.text}`))
        .catch(String);
      answered += 1;
      if (seen !== null) wrong.push(seen);
      await sleep((turn * 7 + number) % 20);
    }
    agent?.destroy();
  })();
  return {
    wrong,
    answered: () => answered,
    async end() {
      ending.abort();
      await done;
    },
  };
}

// attacks/several-machines.test.ts stops one of two servers behind a balancer of this process.
soakDescribe.runIf(NAMES.length > 0)(`a rolling restart behind ${NAMES.join(' and ')}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-rolling-'));
  const project = join(folder, 'project.json');
  const started: ServerProcess[] = [];
  let proxies: readonly FrontProxy[] = [];
  let ports: readonly number[] = [];
  const start = async (port: number): Promise<ServerProcess> => {
    const where = ['--project', project, '--data', 'memory', '--port', String(port), '--trust-proxy', 'loopback'];
    const server = await startPublicServer(...where);
    started.push(server);
    expect(server.url, server.output()).not.toBe('');
    return server;
  };
  let servers: ServerProcess[] = [];
  beforeAll(async () => {
    await buildServer();
    writeFileSync(project, JSON.stringify(PROJECT));
    ports = [await getPort(), await getPort()];
    servers = await Promise.all(ports.map(start));
    proxies = await Promise.all(NAMES.map((name) => startProxy(name, ...ports)));
  });
  afterAll(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Array.from({ length: 6 }, (_, turn) => turn))('loses no request: restart %i', async (turn) => {
    const visitors = proxies.flatMap((proxy) => Array.from({ length: VISITORS }, (_, each) => visitorOf(proxy, each)));
    const more = async (count: number): Promise<void> => {
      const before = visitors.map(({ answered }) => answered());
      await expect
        .poll(() => Math.min(...visitors.map(({ answered }, index) => answered() - (before[index] ?? 0))))
        .toBeGreaterThan(count);
    };
    await more(5);
    const index = turn % ports.length;
    servers[index]?.child.kill('SIGTERM');
    expect(await servers[index]?.ended).toBe(0);
    servers[index] = await start(ports[index] ?? 0);
    await more(5);
    for (const visitor of visitors) await visitor.end();
    console.log(`${visitors.reduce((sum, { answered }) => sum + answered(), 0)} requests`);
    const lost = visitors.flatMap(({ wrong }) => wrong);
    expect(lost, lost.length === 0 ? '' : proxies.map((proxy) => proxy.output()).join('\n')).toEqual([]);
  });
});

describe('the times of the configurations and of a stop agree', () => {
  const read = (name: string): string => readFileSync(join(ROOT, 'provider/deploy', name), 'utf8');
  const { drainSeconds } = optionsFrom(['--project', 'portico.json', '--data', 'memory'], {});

  it('haproxy notices a server that stops before the server closes', () => {
    const [, inter, fall] = /^ {2}server .* check inter (\d+)s fall (\d+) /mu.exec(read('haproxy.cfg')) ?? [];
    expect(Number(inter) * Number(fall)).toBeLessThan(drainSeconds - 1);
  });

  it('nginx avoids a server that closes for longer than the server waits, and no longer when the next one closes', () => {
    const [, avoided] = /^ {4}server .* fail_timeout=(\d+)s;/mu.exec(read('nginx.conf')) ?? [];
    // nginx counts whole seconds, so that each time may be one shorter or longer.
    expect(Number(avoided) - 1).toBeGreaterThan(1);
    expect(Number(avoided) + 1).toBeLessThan(drainSeconds);
  });
});
