import { request } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isSuperLinear } from '#scripts/lib/super-linear.ts';
import { SOAK } from '#tests/soak.ts';
import { BODY_LIMIT } from '#provider/base/http/bodies.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, freshStore, makeProvider, type Provider } from '../kit/harness.ts';
import { SETTINGS } from '../kit/idp-harness.ts';
import { wireTo } from '../kit/kill-journal.ts';
import { LongReads } from '../kit/long-reads.ts';
import { Polls } from '../kit/polls.ts';
import { publicCalls, type PublicCall } from '../kit/public-calls.ts';
import { buildServer, killServers, startServer } from '../kit/server-process.ts';

const PROJECT = { ...SETTINGS, agents: { registration: 'open' } };

const SIGNS = ['a', '/', '@', '.', '%', '"', '\\', ' '];
/** Many fields are read further only if they begin like an address. */
const BEGINNINGS = ['', 'https://'];
/** The longest text in a body that the server reads. In JSON two of the signs have two characters, in a form one has three. */
const LENGTH = BODY_LIMIT - 2048;
const LENGTHS: Readonly<Record<string, number>> = { '%': LENGTH / 3, '"': LENGTH / 2, '\\': LENGTH / 2 };
const TEXTS = SIGNS.flatMap((sign) => BEGINNINGS.map((beginning) => beginning + sign.repeat(LENGTHS[sign] ?? LENGTH)));

interface Attack {
  readonly call: PublicCall;
  readonly text: string;
}

/** The redirect URIs of refused requests, which are written down for a developer. */
const isWritten = ({ name, field }: PublicCall): boolean =>
  / \/oauth2\//u.test(name) && /^(?:form|json) redirect_uris?$/u.test(field);

/** Each call is sent one of the texts, and in soaks one that writes it down all. Sixteen texts for each of nine thousand calls take hours. */
const attacksOf = (calls: readonly PublicCall[]): readonly Attack[] =>
  calls.flatMap((call, row) =>
    TEXTS.filter((_, at) => at === row % TEXTS.length || (SOAK && isWritten(call))).map((text) => ({ call, text })),
  );

/** All calls that write texts down, and each nth of the others. */
const playedOf = (calls: readonly PublicCall[], nth: number): readonly PublicCall[] =>
  calls.filter((call, at) => isWritten(call) || at % nth === 0);

/** How much a soak plays takes two minutes on a machine that is busy. */
const SHARES = SOAK ? { inProcess: 1, served: 16 } : { inProcess: 16, served: 256 };
const SOAK_MS = 900_000;
/** A session lasts an hour of the test's clock, which each call moves on. */
const CALLS_OF_SESSION = 150;

/** A server whose twin answers more than so many polls for each of its own has no time. */
const MOST = 300;
/** A busy machine can stop one of two processes, but not each time. */
const TRIES = 4;

describe.each(EITHER_DATABASE)('long texts of strangers, on %s', (_, url) => {
  let provider: Provider;
  let calls: readonly PublicCall[] = [];
  beforeAll(async () => {
    provider = await makeProvider(url, { project: projectFrom(PROJECT) });
    calls = await answered(publicCalls(provider.app.routes));
  });
  afterAll(() => provider.close());

  /** Without the methods that a route refuses. */
  async function answered(all: readonly PublicCall[]): Promise<readonly PublicCall[]> {
    const refused = new Set<string>();
    for (const { name, request } of new Map(all.map((call) => [call.name, call])).values()) {
      const { status } = await provider.app.request(...request('x', ''));
      if (status === 405) refused.add(name);
    }
    return all.filter(({ name }) => !refused.has(name));
  }

  it('come in more than two thousand places', () => {
    expect(calls.length).toBeGreaterThan(2000);
    const names = new Set(calls.map(({ name }) => name));
    for (const name of [
      'POST /oauth2/token',
      'PUT /oauth2/register/:client',
      'POST /sdk/v1/events',
      'GET /notices/undo',
    ]) {
      expect(names).toContain(name);
    }
  });

  it(
    'are read by linear regular expressions alone',
    async () => {
      let session = '';
      const reads = new LongReads(2_000);
      onTestFinished(() => reads.stop());
      reads.start();
      const attacks = attacksOf(playedOf(calls, SHARES.inProcess));
      for (const [at, { call, text }] of attacks.entries()) {
        if (at % CALLS_OF_SESSION === 0)
          session = String((await provider.signIn('reader@example.com'))['session_token']);
        // The failures of one network are recorded at most so often.
        provider.clock.time += 21_000;
        const { status, body } = await provider.app.request(...call.request(text, session));
        expect(status, `${call.name}, ${call.field}`).toBeLessThan(500);
        await body?.cancel();
      }
      reads.stop();
      expect(reads.expressions.length).toBeGreaterThan(0);
      expect(reads.expressions.filter(({ source, flags }) => isSuperLinear(source, flags))).toEqual([]);
    },
    SOAK_MS,
  );

  it(
    'leave the server time for others',
    async () => {
      await buildServer();
      const { store, drop } = await freshStore(url);
      const folder = mkdtempSync(join(tmpdir(), 'portico-long-texts-'));
      const project = join(folder, 'project.json');
      writeFileSync(project, JSON.stringify(PROJECT));
      const options = ['--project', project, '--port', '0'];
      const memory = ['--data', 'memory'];
      const data = store.kind === 'postgres' ? ['--database-url', store.url] : memory;
      const [server, twin] = await Promise.all([startServer(...options, ...data), startServer(...options, ...memory)]);
      const [polls, others] = [new Polls(server.url), new Polls(twin.url)];
      onTestFinished(async () => {
        await Promise.all([polls.end(), others.end()]);
        killServers();
        rmSync(folder, { recursive: true });
        await drop();
      });
      const session = await sessionAt(server.url);
      /** How many polls the server and its twin answer while a request is under way. */
      const during = async ({ call, text }: Attack): Promise<readonly [number, number]> => {
        const before = [polls.answered, others.answered] as const;
        expect(await send(server.url, call.request(text, session))).toBeLessThan(500);
        return [polls.answered - before[0], others.answered - before[1]];
      };
      const isCostly = async (attack: Attack): Promise<boolean> => {
        for (let tries = 0; tries < TRIES; tries += 1) {
          const [own, ofTwin] = await during(attack);
          if (ofTwin <= (own + 1) * MOST) return false;
        }
        return true;
      };
      for (const attack of attacksOf(playedOf(calls, SHARES.served))) {
        const { call, text } = attack;
        expect(await isCostly(attack), `${call.name}, ${call.field}, ${text.slice(0, 12)}…`).toBe(false);
      }
    },
    SOAK_MS,
  );
});

async function sessionAt(url: string): Promise<string> {
  const wire = wireTo(url);
  const email = 'reader@example.com';
  const { method_id } = (await wire.call('POST', '/otps/email/login_or_create', { email }))['data'];
  const { code } = await wire.latest(email);
  const redeem = { token: code, method_id, session_duration_minutes: 60 };
  return String((await wire.call('POST', '/otps/authenticate', redeem))['data'].session_token);
}

let network = 0;

/** Sends it from a network of its own: the failures of one are recorded at most so often. */
function send(
  url: string,
  [path, { method = 'GET', headers, body }]: ReturnType<PublicCall['request']>,
): Promise<number> {
  network += 1;
  const localAddress = `127.${network % 250}.${Math.floor(network / 250) % 250}.9`;
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, localAddress, headers: headers as Record<string, string> }, (reply) => {
      reply.on('end', () => resolve(reply.statusCode ?? 0)).resume();
    });
    sent.on('error', reject).end(body as string | undefined);
  });
}
