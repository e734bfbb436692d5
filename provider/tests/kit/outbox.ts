import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import type { Carrier } from '#provider/messages/outbox/carrier.ts';
import { Permit } from '#provider/messages/outbox/permit.ts';
import { ServerSender } from '#provider/messages/outbox/senders.ts';
import { post, type Draft } from '#provider/messages/outbox/store.ts';
import type { MessageKind } from '#provider/messages/texts/kinds.ts';
import { DeliveryWorker, type WorkerPatience } from '#provider/messages/outbox/worker.ts';
import type { Services } from '#provider/messages/services.ts';
import { makeProvider, type Fields, type Provider } from './harness.ts';
import { DRAFT } from './test-carrier.ts';

export const LANE = { channel: 'email', recipient: null } as const;

/** Lets the app's server send any number of messages to an address. */
export async function permitTo(services: Pick<Services, 'db' | 'clock' | 'keys'>, to: string) {
  const sender = new ServerSender({ secret_id: 'project-secret-test', name: 'test' });
  const budgets = [{ name: 'test', limit: { max: 1_000_000, windowMs: 60_000 } }];
  return (await Permit.take(services, { sender, recipient: { kind: 'email', value: to }, budgets })).permit;
}

/** An empty outbox for each test of a file, workers that end with the test, and what both did. */
export function useOutbox(url: string | undefined) {
  let started: Provider | undefined;
  const provider = (): Provider => {
    if (started === undefined) throw new Error('The provider starts before the tests.');
    return started;
  };
  const workers: DeliveryWorker[] = [];
  const warned: object[] = [];
  const counted: string[] = [];
  const metrics = { ...NO_METRICS, delivery: (_channel: string, outcome: string) => void counted.push(outcome) };
  beforeAll(async () => {
    started = await makeProvider(url, { carried: new Set(['email']) });
  });
  beforeEach(async () => {
    await provider().services.db.deleteFrom('outbox').execute();
    provider().traces.length = 0;
    warned.length = 0;
    counted.length = 0;
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  });
  afterAll(() => provider().close());

  const work = (carrier: Carrier, patience: Partial<WorkerPatience> = {}, limit = 10): DeliveryWorker => {
    const { db, clock, report } = provider().services;
    const quick = { poll: 5, stop: 50, ...patience };
    const worker = new DeliveryWorker({
      db,
      clock,
      report,
      metrics,
      log: { warn: (message, fields) => void warned.push({ message, ...fields }) },
      carriers: { email: carrier },
      lanes: [{ ...LANE, limit }],
      patience: quick,
    });
    workers.push(worker);
    return worker;
  };
  const send = async (draft: Partial<Draft<MessageKind>> = {}) => {
    const written = { ...DRAFT, ...draft };
    const permit = await permitTo(provider().services, written.to);
    return transaction(provider().services.db, (tx) => post(provider().services, tx, permit, written));
  };
  const rows = (): Promise<readonly Fields[]> =>
    provider().services.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
  const states = async () => (await rows()).map(({ state }) => state as string);
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 5 });
  return { provider, work, send, rows, states, until, warned, counted, metrics };
}
