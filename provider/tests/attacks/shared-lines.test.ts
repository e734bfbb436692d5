import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '#domain/rules/refusal.ts';
import { Semaphore } from '#provider/base/security/semaphore.ts';
import { EITHER_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';
import { at } from './places.ts';
import { oneOf } from '#tests/soak.ts';

const GOOD = 'violet tractor moon 88';
const minutes = { session_duration_minutes: 30 };

describe.each(EITHER_DATABASE)('one peer that fills the queues, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeProvider(url);
    await provider.post('/passwords', { email: 'ada@example.com', password: GOOD, ...minutes });
  });
  afterAll(() => provider.close());

  it.each(
    oneOf(2, [
      ['/passwords/authenticate', { email: 'ada@example.com', password: GOOD, ...minutes }],
      ['/passwords/strength_check', { password: GOOD }],
    ] as const),
  )('the peer keeps no other peer from %s', async (path, body) => {
    const order: string[] = [];
    const flooder = at(provider.app, '198.51.100.7');
    const storm = Array.from({ length: 300 }, async (__, index) => {
      const reply = await flooder.post(path, { ...body, email: `nobody${index}@example.com` });
      order.push('flooder');
      return reply.status;
    });
    const honest = at(provider.app, '203.0.113.9')
      .post(path, body)
      .then((reply) => {
        order.push('honest');
        return reply.status;
      });
    expect(await honest).toBe(200);
    // A peer with a single request waits only for running tasks, not for waiting ones.
    const served = order.slice(0, order.indexOf('honest')).length;
    const statuses = await Promise.all(storm);
    expect(statuses).toContain(503);
    expect(order.length).toBe(301);
    expect(served).toBeLessThan(300);
  });
});

describe('a queue for each peer', () => {
  const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
  const of = (wide: string, narrow = wide) => ({ wide, narrow });

  it('the queues are served in turn, and the longest one loses its newest task when all are full', async () => {
    const line = new Semaphore(1, 4);
    const order: string[] = [];
    let open: () => void = () => undefined;
    const held = line.run(() => new Promise<void>((resolve) => (open = resolve)), of('a'));
    const join = (name: string, peer: string) =>
      line
        .run(async () => void order.push(name), of(peer))
        .catch((error: unknown) => {
          expect(error).toBeInstanceOf(Refusal);
          order.push(`${name} refused`);
        });
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => join(name, 'a'));
    all.push(join('b1', 'b'), join('c1', 'c'), join('a5', 'a'));
    await tick();
    expect([...order].sort()).toEqual(['a3 refused', 'a4 refused', 'a5 refused']);
    open();
    await Promise.all([held, ...all]);
    expect(order.slice(3)).toEqual(['a1', 'b1', 'c1', 'a2']);
    expect(line.running).toBe(0);
  });

  it('a failed task keeps no other task waiting', async () => {
    const line = new Semaphore(1, 10);
    const failing = line.run(() => Promise.reject(new Error('failed')), of('a'));
    const next = line.run(() => Promise.resolve('next'), of('b'));
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('next');
    expect(line.running).toBe(0);
  });

  it('one wide network waits in one turn, however many networks it has, and leaves slots to others', async () => {
    const line = new Semaphore(3, 20, undefined, 2);
    const running: string[] = [];
    const ends: (() => void)[] = [];
    const join = (wide: string, narrow: string) =>
      line.run(
        () => {
          running.push(narrow);
          return new Promise<void>((resolve) => ends.push(resolve));
        },
        of(wide, narrow),
      );
    const all = Array.from({ length: 12 }, (_, subnet) => join('a', `a${subnet}`));
    await tick();
    expect(running).toEqual(['a0', 'a1']);
    all.push(join('b', 'b'), join('c', 'c'));
    await tick();
    expect(running).toEqual(['a0', 'a1', 'b']);
    ends[0]?.();
    await tick();
    // The other network comes before the ten that still wait.
    expect(running).toEqual(['a0', 'a1', 'b', 'a2']);
    ends[1]?.();
    await tick();
    expect(running).toEqual(['a0', 'a1', 'b', 'a2', 'c']);
    while (running.length < all.length || ends.length > 0) {
      ends.splice(0).forEach((end) => end());
      await tick();
    }
    await Promise.all(all);
    expect(line.running).toBe(0);
  });
});
