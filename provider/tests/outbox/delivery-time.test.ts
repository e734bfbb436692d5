import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Outcome } from '#provider/messages/outbox/carrier.ts';
import { post, sweepOutbox, withdraw } from '#provider/messages/outbox/store.ts';
import { removeUser } from '#provider/accounts/users/store.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { permitTo, useOutbox } from '../kit/outbox.ts';
import { DRAFT, FOREVER, SENT, TestCarrier } from '../kit/test-carrier.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('deliveries that take long, or come too late, on %s', (_, url) => {
  const { provider, work, send, rows, states, until, counted } = useOutbox(url);

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

  soakIt('ends a stalled delivery also after a garbage collection', async () => {
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
    provider().clock.time += MINUTE;
    const carrier = new TestCarrier();
    work(carrier);
    await until(async () => expect(await states()).toEqual(['expired', 'sent']));
    expect(carrier.taken.map(({ to }) => to)).toEqual(['later@example.com']);
    expect((await rows())[0]).toMatchObject({ text: '', code: null, subject: '' });
  });

  it('sends what waits as soon as the carrier works again', async () => {
    for (let turn = 0; turn < 6; turn += 1) await send({ to: `waits-${turn}@example.com` });
    let down = true;
    const carrier = new TestCarrier(() => (down ? { kind: 'retry', reason: 'away', afterMs: 5 * MINUTE } : SENT));
    // The first probe would come at once.
    work(carrier, { probe: Infinity });
    await until(async () => expect((await rows()).every(({ attempts, claimed_by }) => attempts === 1 && claimed_by === null)).toBe(true)); // prettier-ignore
    down = false;
    await send({ to: 'new@example.com' });
    await until(async () => expect(new Set(await states())).toEqual(new Set(['sent'])));
    expect(carrier.taken).toHaveLength(13);
  });

  it('sends what another process could not, as soon as the carrier works again', async () => {
    for (let turn = 0; turn < 4; turn += 1) await send({ to: `waits-${turn}@example.com` });
    const away = new TestCarrier(() => ({ kind: 'retry', reason: 'away', afterMs: 5 * MINUTE }));
    const first = work(away, { probe: Infinity });
    await until(async () => expect((await rows()).every(({ attempts, claimed_by }) => attempts === 1 && claimed_by === null)).toBe(true)); // prettier-ignore
    await first.stop();
    const carrier = new TestCarrier();
    work(carrier, { probe: Infinity });
    await send({ to: 'new@example.com' });
    await until(async () => expect(new Set(await states())).toEqual(new Set(['sent'])));
    expect(carrier.taken).toHaveLength(5);
  });

  it('tries one message again and again while the carrier is down, and no more than its attempts allow', async () => {
    for (let turn = 0; turn < 3; turn += 1) await send({ to: `waits-${turn}@example.com` });
    let down = true;
    const carrier = new TestCarrier(() => (down ? { kind: 'retry', reason: 'away', afterMs: 5 * MINUTE } : SENT));
    work(carrier, { probe: 1 });
    await until(() => Promise.resolve(expect(carrier.taken.length).toBeGreaterThan(6)));
    // Each has its turn.
    const attempts = (await rows()).map((row) => Number(row['attempts']));
    expect(Math.max(...attempts) - Math.min(...attempts)).toBeLessThanOrEqual(1);
    down = false;
    await until(async () => expect(await states()).toEqual(['sent', 'sent', 'sent']));
    await provider().services.db.deleteFrom('outbox').execute();
    await send();
    await provider().services.db.updateTable('outbox').set({ attempts: 20, next_at: new Date(provider().clock.now() + MINUTE) }).execute(); // prettier-ignore
    const before = carrier.taken.length;
    down = true;
    for (let turn = 0; turn < 3; turn += 1) await send({ to: `more-${turn}@example.com` });
    await until(() => Promise.resolve(expect(carrier.taken.length).toBeGreaterThan(before + 5)));
    expect((await rows())[0]).toMatchObject({ attempts: 20 });
  });

  it('tries one message at a time while the receiver takes none, however many wait, and all when it does', async () => {
    for (let turn = 0; turn < 3; turn += 1) await send({ to: `waits-${turn}@example.com` });
    let [atOnce, mostAway, mostLater] = [0, 0, 0];
    // The fourth attempt is a probe. The next one waits until there are more messages, and the receiver takes none of twelve probes.
    const [firstProbe, lastProbe] = [4, 16];
    let goOn = (): void => undefined;
    const more = new Promise<void>((resolve) => (goOn = resolve));
    const carrier: TestCarrier = new TestCarrier(async () => {
      const attempt = carrier.taken.length;
      atOnce += 1;
      if (attempt > lastProbe) mostLater = Math.max(mostLater, atOnce);
      else if (attempt >= firstProbe) mostAway = Math.max(mostAway, atOnce);
      if (attempt > firstProbe) await more;
      await new Promise(setImmediate);
      atOnce -= 1;
      return attempt > lastProbe ? SENT : { kind: 'retry', reason: 'refused', isAway: true, afterMs: 5 * MINUTE };
    });
    work(carrier, { probe: 1 });
    await until(() => Promise.resolve(expect(carrier.taken.length).toBeGreaterThan(firstProbe)));
    const drafts = Array.from({ length: 8 }, (_, turn) => ({ ...DRAFT, to: `new-${turn}@example.com` }));
    const permits = await Promise.all(drafts.map(({ to }) => permitTo(provider().services, to)));
    await transaction(provider().services.db, async (tx) => {
      for (const [turn, permit] of permits.entries())
        await post(provider().services, tx, permit, drafts[turn] ?? DRAFT);
    });
    goOn();
    await until(async () => expect(new Set(await states())).toEqual(new Set(['sent'])));
    expect(mostAway).toBe(1);
    expect(mostLater).toBeGreaterThan(1);
  });

  it('leaves a message alone that fails among others that do not', async () => {
    await send({ to: 'full@example.com' });
    const carrier = new TestCarrier(({ to }) =>
      to === 'full@example.com' ? { kind: 'retry', reason: 'the mailbox is full', afterMs: 5 * MINUTE } : SENT,
    );
    work(carrier);
    for (let turn = 0; turn < 4; turn += 1) await send({ to: `works-${turn}@example.com` });
    await until(async () => expect(await states()).toEqual(['waiting', 'sent', 'sent', 'sent', 'sent']));
    expect((await rows())[0]).toMatchObject({ attempts: 1 });
  });

  it('counts the messages that expired before they were sent', async () => {
    await send({ minutes: 1 });
    await send();
    provider().clock.time += MINUTE;
    work(new TestCarrier());
    // Counted once the row is stored.
    await until(() => Promise.resolve(expect([...counted].sort()).toEqual(['expired', 'sent'])));
    expect(await states()).toEqual(['expired', 'sent']);
  });

  it('ends a delivery when the code expires, and a wait that would outlast it', async () => {
    const { id } = await send({ minutes: 1 / 1200 });
    await send({ minutes: 1, to: 'wait@example.com' });
    work(
      new TestCarrier(({ to }) =>
        to === 'wait@example.com' ? { kind: 'retry', reason: 'busy', afterMs: MINUTE } : FOREVER,
      ),
    );
    // Neither can wait for another attempt: its time is over by then.
    await until(async () =>
      expect(await rows()).toMatchObject([
        { state: 'expired', last_error: 'no answer in time' },
        { state: 'expired', last_error: 'busy' },
      ]),
    );
    provider().clock.time += 10_000;
    await sweepOutbox({ ...provider().services, dev: false });
    expect((await rows())[0]).toMatchObject({ id, state: 'expired', text: '' });
  });

  it('delivers new messages after the clock was set back, and none twice after it was set forward', async () => {
    await send();
    provider().clock.time -= 60 * MINUTE;
    let answer = (_outcome: Outcome): void => undefined;
    const carrier = new TestCarrier(() => new Promise<Outcome>((resolve) => (answer = resolve)));
    work(carrier);
    await until(() => Promise.resolve(expect(carrier.taken.length).toBe(1)));
    provider().clock.time += 60 * MINUTE + 40_000;
    await until(async () => expect((await rows())[0]?.['attempts']).toBe(2));
    answer(SENT);
    await until(async () => expect(await states()).toEqual(['sent']));
    expect(carrier.taken.length).toBe(1);
  });

  it('a message that waits for days because the clock was set back is due again', async () => {
    await send({ minutes: 10_000 });
    const far = new Date(provider().clock.now() + 5 * 24 * 60 * MINUTE);
    await provider().services.db.updateTable('outbox').set({ next_at: far }).execute();
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
    const { db } = provider().services;
    const permit = await permitTo(provider().services, DRAFT.to);
    await transaction(db, async (tx) => withdraw(tx, (await post(provider().services, tx, permit, DRAFT)).id));
    await provider().post('/otps/email/login_or_create', { email: 'gone@example.com' });
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
    expect(provider().traces).toEqual([]);
  });
});
