import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { transaction } from '../../src/db/transaction.ts';
import { delayAfter, MOST_ATTEMPTS } from '../../src/outbox/backoff.ts';
import type { Carrier, Outcome } from '../../src/outbox/carrier.ts';
import { NO_METRICS } from '../../src/metrics/metrics.ts';
import { startDelivery } from '../../src/outbox/delivery.ts';
import { claim } from '../../src/outbox/queue.ts';
import { post, sweepOutbox, withdraw, type Draft } from '../../src/outbox/store.ts';
import { DeliveryWorker, type WorkerPatience } from '../../src/outbox/worker.ts';
import { removeUser } from '../../src/users/store.ts';
import { DATABASES, makeProvider, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { DRAFT, FOREVER, SENT, TestCarrier } from '../kit/test-carrier.ts';

const POSTERS = 10;
const POSTED = process.env['SOAK'] === '1' ? 400 : 20;

const LANE = { channel: 'email', recipient: null } as const;

describe.each(DATABASES)('the delivery of messages on %s', (_, url) => {
  let provider: Provider;
  const workers: DeliveryWorker[] = [];
  let warned: object[] = [];
  const counted: string[] = [];
  const metrics = { ...NO_METRICS, delivery: (_channel: string, outcome: string) => void counted.push(outcome) };
  beforeAll(async () => {
    provider = await makeProvider(url, { carried: new Set(['email']) });
  });
  beforeEach(async () => {
    await provider.services.db.deleteFrom('outbox').execute();
    provider.traces.length = 0;
    warned = [];
    counted.length = 0;
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  });
  afterAll(() => provider.close());

  const work = (carrier: Carrier, patience: Partial<WorkerPatience> = {}, limit = 10): DeliveryWorker => {
    const { db, clock, report } = provider.services;
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
  const send = (draft: Partial<Draft> = {}) =>
    transaction(provider.services.db, (tx) => post(provider.services, tx, { ...DRAFT, ...draft }));
  const rows = (): Promise<readonly Fields[]> =>
    provider.services.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
  const states = async () => (await rows()).map(({ state }) => state as string);
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 5 });

  it('hands the carrier the whole message, and erases its content when it was sent', async () => {
    const { id } = await send({ locale: 'de', template_id: 'warm', minutes: 30 });
    const carrier = new TestCarrier(() => ({ kind: 'sent', reference: '250 queued as 7' }));
    work(carrier);
    await until(async () => expect(await states()).toEqual(['sent']));
    const { minutes: _minutes, ...draft } = DRAFT;
    const expiresAt = new Date(provider.clock.now() + 30 * MINUTE);
    expect(carrier.taken).toEqual([{ ...draft, id, locale: 'de', templateId: 'warm', expiresAt, attempt: 1 }]);
    const [row] = await rows();
    expect(row).toMatchObject({
      subject: '',
      text: '',
      code: null,
      link: null,
      values: {},
      reference: '250 queued as 7',
    });
    expect(row).toMatchObject({ claimed_by: null, last_error: null, recipient: 'ada@example.com' });
  });

  it('delivers a message of this process without waiting for the next look', async () => {
    const carrier = new TestCarrier(() => ({ kind: 'sent', reference: 'told\u0000 by a server' }));
    const started = startDelivery({ ...provider.services, metrics, dev: false }, { email: carrier }, { poll: 60_000 });
    await provider.post('/otps/email/login_or_create', { email: 'now@example.com' });
    await until(async () => expect(await rows()).toMatchObject([{ state: 'sent', reference: 'told  by a server' }]));
    await started?.stop();
    expect(carrier.taken).toMatchObject([{ kind: 'signup_passcode', to: 'now@example.com' }]);
  });

  it('of several workers, exactly one delivers each message of concurrent posters', async () => {
    const carriers = [new TestCarrier(), new TestCarrier(), new TestCarrier()];
    for (const carrier of carriers) work(carrier);
    const posting = async (poster: number): Promise<void> => {
      for (let message = 0; message < POSTED; message += 1) await send({ to: `${poster}-${message}@example.com` });
    };
    await Promise.all(Array.from({ length: POSTERS }, (_unused, poster) => posting(poster)));
    const waiting = () => provider.services.db.selectFrom('outbox').select('id').where('state', '<>', 'sent').limit(1);
    await vi.waitFor(async () => expect(await waiting().execute()).toEqual([]), { timeout: 60_000, interval: 20 });
    const taken = carriers.flatMap((carrier) => carrier.taken.map(({ id }) => id));
    expect(taken.length).toBe(POSTERS * POSTED);
    expect(new Set(taken).size).toBe(POSTERS * POSTED);
  }, 90_000);

  it('delivers at most so many at once', async () => {
    for (let message = 0; message < 12; message += 1) await send();
    let atOnce = 0;
    let most = 0;
    const carrier = new TestCarrier(async () => {
      most = Math.max(most, (atOnce += 1));
      await new Promise(setImmediate);
      atOnce -= 1;
      return SENT;
    });
    work(carrier, {}, 3);
    await until(async () => expect(new Set(await states())).toEqual(new Set(['sent'])));
    expect(most).toBe(3);
  });

  it('a message whose worker died is delivered again under the same id, once its claim has ended', async () => {
    const { id } = await send();
    const { db, clock } = provider.services;
    const lanes = [{ ...LANE, limit: 5 }];
    const [lost] = await claim(db, { by: 'dead', now: clock.now(), until: clock.now() + 30_000, lanes });
    expect(lost?.id).toBe(id);
    expect(await claim(db, { by: 'other', now: clock.now() + 29_000, until: clock.now() + 60_000, lanes })).toEqual([]);
    provider.clock.time += 31_000;
    const carrier = new TestCarrier();
    work(carrier);
    await until(async () => expect(await states()).toEqual(['sent']));
    expect(carrier.taken).toMatchObject([{ id, attempt: 2 }]);
  });

  it('tries a failed delivery again later, each time after a longer wait, and repeats no secret as the reason', async () => {
    const { id } = await send();
    const carrier = new TestCarrier(({ attempt, code }) =>
      attempt < 3 ? { kind: 'retry', reason: `451 greylisted: ${code}` } : SENT,
    );
    work(carrier);
    const waits: number[] = [];
    for (const attempts of [1, 2]) {
      await until(async () => expect((await rows())[0]).toMatchObject({ attempts, claimed_by: null }));
      const [row] = await rows();
      expect(row).toMatchObject({ state: 'waiting', last_error: '451 greylisted: …', code: '123456' });
      waits.push((row?.['next_at'] as Date).getTime() - provider.clock.now());
      provider.clock.time = (row?.['next_at'] as Date).getTime();
    }
    // Once a minute at most.
    expect(warned).toEqual([
      {
        message: 'a message was not delivered',
        channel: 'email',
        message_id: id,
        attempt: 1,
        reason: '451 greylisted: …',
      },
    ]);
    expect(waits[0]).toBeGreaterThanOrEqual(1_000);
    expect(waits[0]).toBeLessThanOrEqual(2_000);
    expect(waits[1]).toBeGreaterThanOrEqual(2_000);
    await until(async () => expect(await states()).toEqual(['sent']));
    expect(carrier.taken.length).toBe(3);
  });

  it('waits as long as the receiver asks', async () => {
    await send();
    work(new TestCarrier(() => ({ kind: 'retry', reason: 'busy', afterMs: 3 * MINUTE })));
    await until(async () => expect((await rows())[0]).toMatchObject({ attempts: 1, claimed_by: null }));
    expect(((await rows())[0]?.['next_at'] as Date).getTime()).toBe(provider.clock.now() + 3 * MINUTE);
  });

  it('gives up a rejected message, and one that failed too often', async () => {
    await send();
    await send({ to: 'often@example.com' });
    await provider.services.db
      .updateTable('outbox')
      .set({ attempts: MOST_ATTEMPTS - 1 })
      .where('recipient', '=', 'often@example.com')
      .execute();
    work(
      new TestCarrier(({ to }) =>
        to === 'ada@example.com' ? { kind: 'rejected', reason: '550 no such user' } : { kind: 'retry', reason: '421' },
      ),
    );
    await until(async () => expect(await states()).toEqual(['dead', 'dead']));
    expect(await rows()).toMatchObject([
      { text: '', code: null, last_error: '550 no such user' },
      { text: '', code: null, last_error: '421' },
    ]);
  });

  it('does not deliver a message whose attempts all ended with the death of a process', async () => {
    await send();
    await provider.services.db.updateTable('outbox').set({ attempts: MOST_ATTEMPTS }).execute();
    const carrier = new TestCarrier();
    work(carrier);
    await until(async () => expect(await states()).toEqual(['dead']));
    expect(carrier.taken).toEqual([]);
  });

  it('survives a carrier that throws, and tries again', async () => {
    await send();
    work(new TestCarrier(() => Promise.reject(new Error('secret of the carrier'))));
    await until(async () =>
      expect((await rows())[0]).toMatchObject({ attempts: 1, claimed_by: null, state: 'waiting' }),
    );
    expect(provider.traces.join()).toContain('delivery by email');
    expect(provider.traces.join() + JSON.stringify(await rows())).not.toContain('secret of the carrier');
  });

  it('does not wait for a carrier that stalls, and counts an answer that comes late', async () => {
    await send();
    let answer = (_outcome: Outcome): void => undefined;
    let aborted = false;
    const carrier = new TestCarrier((_parcel, signal) => {
      signal.addEventListener('abort', () => (aborted = true));
      return new Promise<Outcome>((resolve) => (answer = resolve));
    });
    work(carrier, { delivery: 20 });
    await until(async () => expect((await rows())[0]).toMatchObject({ attempts: 1, claimed_by: null }));
    expect((await rows())[0]).toMatchObject({ state: 'waiting', last_error: 'no answer in time' });
    expect(aborted).toBe(true);
    answer(SENT);
    await until(async () => expect(await states()).toEqual(['sent']));
    expect(carrier.taken.length).toBe(1);
  });

  it('ends a stalled delivery also after a garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    await send();
    const carrier = new TestCarrier(() => FOREVER);
    work(carrier, { delivery: 200 });
    await until(() => Promise.resolve(expect(carrier.taken.length).toBe(1)));
    collect();
    await until(async () => expect((await rows())[0]).toMatchObject({ attempts: 1, claimed_by: null }));
    expect((await rows())[0]).toMatchObject({ state: 'waiting', last_error: 'no answer in time' });
  });

  it('counts a delivery once, also when the time for it has passed', async () => {
    await send();
    work(new TestCarrier(({ to }) => (to === 'slow@example.com' ? FOREVER : SENT)), { delivery: 20 });
    await until(() => Promise.resolve(expect(counted).toEqual(['sent'])));
    // Its time ends after that of the first one.
    await send({ to: 'slow@example.com' });
    await until(() => Promise.resolve(expect(counted).toContain('retry')));
    expect(counted).toEqual(['sent', 'retry']);
  });

  it('never sends a code that has expired, and erases it', async () => {
    await send({ minutes: 1 });
    await send({ to: 'later@example.com' });
    provider.clock.time += MINUTE;
    const carrier = new TestCarrier();
    work(carrier);
    await until(async () => expect(await states()).toEqual(['expired', 'sent']));
    expect(carrier.taken.map(({ to }) => to)).toEqual(['later@example.com']);
    expect((await rows())[0]).toMatchObject({ text: '', code: null, subject: '' });
  });

  it('ends a delivery when the code expires, and a wait that would outlast it', async () => {
    const { id } = await send({ minutes: 1 / 1200 });
    await send({ minutes: 1, to: 'wait@example.com' });
    work(
      new TestCarrier(({ to }) =>
        to === 'wait@example.com' ? { kind: 'retry', reason: 'busy', afterMs: MINUTE } : FOREVER,
      ),
    );
    await until(async () => expect(await states()).toEqual(['waiting', 'expired']));
    await until(async () => expect((await rows())[0]).toMatchObject({ last_error: 'no answer in time' }));
    provider.clock.time += 10_000;
    await sweepOutbox({ ...provider.services, dev: false });
    expect((await rows())[0]).toMatchObject({ id, state: 'expired', text: '' });
  });

  it('delivers new messages after the clock was set back, and none twice after it was set forward', async () => {
    await send();
    provider.clock.time -= 60 * MINUTE;
    let answer = (_outcome: Outcome): void => undefined;
    const carrier = new TestCarrier(() => new Promise<Outcome>((resolve) => (answer = resolve)));
    work(carrier);
    await until(() => Promise.resolve(expect(carrier.taken.length).toBe(1)));
    provider.clock.time += 60 * MINUTE + 40_000;
    await until(async () => expect((await rows())[0]?.['attempts']).toBe(2));
    answer(SENT);
    await until(async () => expect(await states()).toEqual(['sent']));
    expect(carrier.taken.length).toBe(1);
  });

  it('a message that waits for days because the clock was set back is due again', async () => {
    await send({ minutes: 10_000 });
    const far = new Date(provider.clock.now() + 5 * 24 * 60 * MINUTE);
    await provider.services.db.updateTable('outbox').set({ next_at: far }).execute();
    work(new TestCarrier());
    await until(async () => expect(await states()).toEqual(['sent']));
  });

  it('a server that stops finishes its deliveries, and leaves those that take too long to others', async () => {
    await send();
    await send({ to: 'slow@example.com' });
    let finish = (): void => undefined;
    const carrier = new TestCarrier(({ to }) =>
      to === 'slow@example.com' ? FOREVER : new Promise<Outcome>((resolve) => (finish = () => resolve(SENT))),
    );
    const worker = work(carrier);
    await until(() => Promise.resolve(expect(carrier.taken.length).toBe(2)));
    const stopped = worker.stop();
    finish();
    await stopped;
    expect(carrier.closed).toBe(true);
    expect(await states()).toEqual(['sent', 'waiting']);
    const next = new TestCarrier();
    work(next);
    await until(async () => expect(await states()).toEqual(['sent', 'sent']));
    expect(next.taken.map(({ to }) => to)).toEqual(['slow@example.com']);
  });

  it('a withdrawn message is never delivered, nor one to a user who is deleted', async () => {
    const { db } = provider.services;
    await transaction(db, async (tx) => withdraw(tx, (await post(provider.services, tx, DRAFT)).id));
    await provider.post('/otps/email/login_or_create', { email: 'gone@example.com' });
    const { user_id } = await db
      .selectFrom('emails')
      .select('user_id')
      .where('email', '=', 'gone@example.com')
      .executeTakeFirstOrThrow();
    expect(await states()).toEqual(['waiting']);
    const taken = new TestCarrier(async () => {
      await removeUser(db, user_id);
      return SENT;
    });
    work(taken);
    await until(async () => expect(await states()).toEqual([]));
    expect(provider.traces).toEqual([]);
  });
});

it('a failing delivery is not given up before the three days that a webhook has', () => {
  const shortest = vi.spyOn(Math, 'random').mockReturnValue(1);
  const waits = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, index) => delayAfter(index + 1));
  shortest.mockRestore();
  expect(waits.reduce((sum, ms) => sum + ms)).toBeGreaterThan(3 * 24 * 60 * MINUTE);
});
