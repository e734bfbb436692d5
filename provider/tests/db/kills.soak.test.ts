import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, freshStore } from '../kit/harness.ts';
import { Journal, patient, UnexpectedAnswer, wireTo } from '../kit/kill-journal.ts';
import { PROJECT, WRITERS, type Writer } from '../kit/kill-writers.ts';
import { buildServer, killServers, spawnServer, startServer, type ServerProcess } from '../kit/server-process.ts';

const KILLS = 50;
/** At most so many answers between two kills. */
const ANSWERS = 200;
const SEED = Number(process.env['SEED'] ?? 20_260_731);

const folder = mkdtempSync(join(tmpdir(), 'portico-kills-'));
const project = join(folder, 'project.json');

/** mulberry32: the same kills for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Writes until the server is gone. What a server that lives should not have said is thrown. */
async function write(writer: Writer, url: string, journal: Journal, name: string): Promise<void> {
  const wire = patient(wireTo(url), () => journal.count());
  try {
    for (let round = 0; ; round += 1) await writer(wire, journal, `${name}r${round}@example.com`);
  } catch (error) {
    if (error instanceof UnexpectedAnswer || !(error instanceof TypeError)) throw error;
  }
}

beforeAll(async () => {
  await buildServer();
  writeFileSync(project, JSON.stringify(PROJECT));
});
afterEach(killServers);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// A server that is killed after a login is in cli/process.test.ts.
describe.each(DATABASES)('a server that is killed under writes, on %s', (name, databaseUrl) => {
  it(`loses nothing that it acknowledged and revives nothing, ${KILLS} times`, async () => {
    const { store, drop } = await freshStore(databaseUrl);
    const place = store.kind === 'postgres' ? ['--database-url', store.url] : ['--data', join(folder, 'data')];
    const args = ['--port', '0', '--project', project, ...place];
    const journal = new Journal();
    const random = seeded(SEED);
    const start = async (): Promise<ServerProcess> => {
      const server = await startServer(...args);
      expect(server.url, server.output()).not.toBe('');
      return server;
    };

    for (let kill = 0; kill < KILLS; kill += 1) {
      const server = await start();
      expect(await journal.broken(server.url), `after kill ${kill}`).toEqual([]);
      const killed = journal.more(1 + Math.floor(random() * ANSWERS));
      const writing = WRITERS.map((writer, index) => write(writer, server.url, journal, `k${kill}w${index}`));
      await Promise.race([killed, Promise.all(writing)]);
      await sleep(random() * 15);
      server.child.kill('SIGKILL');
      expect(await server.ended).toBe('SIGKILL');
      await Promise.all(writing);
      if (random() < 0.2) await killAtStart(args, random() * 800);
    }
    const last = await start();
    expect(await journal.broken(last.url, true)).toEqual([]);
    // How much is acknowledged before a kill is the machine’s to say.
    expect(journal.size).toBeGreaterThan(KILLS * 2);
    const { acknowledged, size: facts } = journal;
    console.info(`${name}: ${JSON.stringify({ kills: KILLS, acknowledged, facts })}`);
    last.child.kill('SIGKILL');
    await last.ended;
    await drop();
  }, 3_600_000);
});

/** A server that is killed while it starts, or repairs what the last one left. */
async function killAtStart(args: readonly string[], afterMs: number): Promise<void> {
  const child = spawnServer(...args);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  await sleep(afterMs);
  child.kill('SIGKILL');
  await gone;
}
