import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PorticoClient } from '#composition/client.ts';
import { codeLoad, pendingLoads } from '#domain/code-loads.ts';
import { FakeServer } from '#kit/fake-server.ts';
import { FakeWorld } from '#kit/fake-world.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';

/** The time in which the code of a session arrives, as in a first run on a slow machine. */
const LOAD_MS = 100;

vi.mock('#composition/wire-session.ts', async (original) => {
  await delay(LOAD_MS);
  return original();
});
vi.mock('#composition/lazy/wire-lazy.ts', async (original) => {
  await delay(LOAD_MS);
  return original();
});

it('a session ends in virtual time, although its code is still loading when the time passes', async () => {
  const world = new FakeWorld();
  const server = new FakeServer(world.transport, world.clock);
  const client = new PorticoClient('public-token-test-1', { adapters: world.tab() });
  const { method_id } = await client.otps.email.loginOrCreate('ada@example.com');
  await client.otps.authenticate(server.inbox[0]?.code ?? '', method_id, { session_duration_minutes: 60 });
  await world.clock.advance(59 * 60_000);
  expect(client.session.getSync()).not.toBe(null);
  await world.clock.advance(2 * 60_000);
  expect(client.session.getSync()).toBe(null);
  client.destroy();
});

it('virtual time waits for each load of code, for what that loads, and for the tasks that it begins', async () => {
  const clock = new VirtualClock(0);
  const times: number[] = [];
  const begin = async (): Promise<void> => {
    await codeLoad(delay(20));
    await codeLoad(delay(20));
    clock.after(5, () => {
      times.push(clock.now());
      void codeLoad(delay(20)).then(() => clock.after(5, () => times.push(clock.now())));
    });
  };
  void begin();
  await clock.advance(10);
  expect(times).toEqual([5, 10]);
  expect(pendingLoads.size).toBe(0);
});

it('a load that fails is no longer waited for', async () => {
  const clock = new VirtualClock(0);
  const load = codeLoad(delay(20).then(() => Promise.reject(new Error('gone'))));
  await clock.advance(10);
  await expect(load).rejects.toMatchObject({ problem: 'file', cause: { message: 'gone' } });
  expect(pendingLoads.size).toBe(0);
});

it('a load that never ends holds virtual time up once, for ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.resetModules();
  const { settle } = await import('#kit/ports/settle.ts');
  const { codeLoad: load } = await import('#domain/code-loads.ts');
  void load(new Promise<never>(() => undefined));
  const settled = vi.fn();
  void settle().then(settled);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(settled).toHaveBeenCalledOnce());
  await settle();
  vi.useRealTimers();
});

it('what follows a load in several steps comes before the time goes on', async () => {
  const clock = new VirtualClock(0);
  let ranAt = 0;
  const begin = async (): Promise<void> => {
    await codeLoad(delay(20));
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    clock.after(5, () => (ranAt = clock.now()));
  };
  void begin();
  await clock.advance(10);
  expect(ranAt).toBe(5);
});

describe('virtual time', () => {
  afterEach(() => vi.useRealTimers());

  it('passes although the test runner has replaced the timers', async () => {
    const clock = new VirtualClock(0);
    const ran = vi.fn();
    clock.after(5, ran);
    vi.useFakeTimers();
    await clock.advance(10);
    expect(ran).toHaveBeenCalledOnce();
  });

  it('leaves no timer behind, which would keep a process alive', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.resetModules();
    const { settle } = await import('#kit/ports/settle.ts');
    const { codeLoad: load } = await import('#domain/code-loads.ts');
    const ended = vi.fn();
    void load(new Promise<void>((end) => void setImmediate(() => setImmediate(end)))).then(ended);
    await settle();
    expect(ended).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('passes in a browser, which has no setImmediate, and leaves no channel open', async () => {
    const closed = vi.spyOn(MessagePort.prototype, 'close');
    vi.stubGlobal('setImmediate', undefined);
    vi.resetModules();
    const { VirtualClock: Clock } = await import('#kit/ports/virtual-clock.ts');
    const clock = new Clock(0);
    const times: number[] = [];
    clock.after(5, () => times.push(clock.now()));
    await clock.advance(10);
    expect(times).toEqual([5]);
    expect(closed).toHaveBeenCalledTimes(2);
  });
});
