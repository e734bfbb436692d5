import { describe, expect, it, vi } from 'vitest';
import { delayAfter, MOST_ATTEMPTS } from '#provider/messages/outbox/backoff.ts';
import { startDelivery } from '#provider/messages/outbox/delivery.ts';
import { claim } from '#provider/messages/outbox/queue.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { LANE, useOutbox } from '../kit/outbox.ts';
import { DRAFT, SENT, TestCarrier } from '../kit/test-carrier.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const POSTERS = 10;
const POSTED = SOAK ? 400 : 20;

describe.each(EITHER_DATABASE)('the delivery of messages on %s', (_, url) => {
  const { provider, work, send, rows, states, until, warned, metrics } = useOutbox(url);

  it('hands the carrier the whole message, and erases its content when it was sent', async () => {
    const { id } = await send({ locale: 'de', template_id: 'warm', minutes: 30 });
    const carrier = new TestCarrier(() => ({ kind: 'sent', reference: '250 queued as 7' }));
    work(carrier);
    await until(async () => expect(await states()).toEqual(['sent']));
    const { minutes: _minutes, ...draft } = DRAFT;
    const expiresAt = new Date(provider().clock.now() + 30 * MINUTE);
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
    const started = startDelivery(
      { ...provider().services, metrics, dev: false },
      { email: carrier },
      { poll: 60_000 },
    );
    await provider().post('/otps/email/login_or_create', { email: 'now@example.com' });
    await until(async () => expect(await rows()).toMatchObject([{ state: 'sent', reference: 'told  by a server' }]));
    await started?.stop();
    expect(carrier.taken).toMatchObject([{ kind: 'signup_passcode', to: 'now@example.com' }]);
  });

  soakIt('of several workers, exactly one delivers each message of concurrent posters', async () => {
    const carriers = [new TestCarrier(), new TestCarrier(), new TestCarrier()];
    for (const carrier of carriers) work(carrier);
    const posting = async (poster: number): Promise<void> => {
      for (let message = 0; message < POSTED; message += 1) await send({ to: `${poster}-${message}@example.com` });
    };
    await Promise.all(Array.from({ length: POSTERS }, (_unused, poster) => posting(poster)));
    const waiting = () =>
      provider().services.db.selectFrom('outbox').select('id').where('state', '<>', 'sent').limit(1);
    await vi.waitFor(async () => expect(await waiting().execute()).toEqual([]), { timeout: 60_000, interval: 20 });
    const taken = carriers.flatMap((carrier) => carrier.taken.map(({ id }) => id));
    expect(taken.length).toBe(POSTERS * POSTED);
    expect(new Set(taken).size).toBe(POSTERS * POSTED);
  });

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
    const { db, clock } = provider().services;
    const lanes = [{ ...LANE, limit: 5 }];
    const [lost] = await claim(db, { by: 'dead', now: clock.now(), until: clock.now() + 30_000, lanes });
    expect(lost?.id).toBe(id);
    expect(await claim(db, { by: 'other', now: clock.now() + 29_000, until: clock.now() + 60_000, lanes })).toEqual([]);
    provider().clock.time += 31_000;
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
      waits.push((row?.['next_at'] as Date).getTime() - provider().clock.now());
      provider().clock.time = (row?.['next_at'] as Date).getTime();
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
    expect(((await rows())[0]?.['next_at'] as Date).getTime()).toBe(provider().clock.now() + 3 * MINUTE);
  });

  it('gives up a rejected message, and one that failed too often', async () => {
    await send();
    await send({ to: 'often@example.com' });
    await provider()
      .services.db.updateTable('outbox')
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
    await provider().services.db.updateTable('outbox').set({ attempts: MOST_ATTEMPTS }).execute();
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
    expect(provider().traces.join()).toContain('delivery by email');
    expect(provider().traces.join() + JSON.stringify(await rows())).not.toContain('secret of the carrier');
  });
});

it('a failing delivery is not given up before the three days that a webhook has', () => {
  const shortest = vi.spyOn(Math, 'random').mockReturnValue(1);
  const waits = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, index) => delayAfter(index + 1));
  shortest.mockRestore();
  expect(waits.reduce((sum, ms) => sum + ms)).toBeGreaterThan(3 * 24 * 60 * MINUTE);
});
