import { describe, expect, expectTypeOf, it } from 'vitest';
import { later, methodsOf } from '#domain/later.ts';

const UNLOADED = new TypeError('Failed to fetch dynamically imported module');

/** A counter whose load succeeds or fails when the test calls `arrive` or `fail`. */
function slowly() {
  const counter = { count: 0 };
  const loads: { arrive(): void; fail(): void }[] = [];
  const value = later(
    () =>
      new Promise<typeof counter>((resolve, reject) => {
        loads.push({ arrive: () => resolve(counter), fail: () => reject(UNLOADED) });
      }),
  );
  return { counter, loads, value };
}

describe('a value that arrives later', () => {
  it('is loaded once, by the first call of load', async () => {
    const { counter, loads, value } = slowly();
    value.pass(() => undefined);
    expect(loads).toHaveLength(0);
    const both = Promise.all([value.load(), value.load()]);
    expect(value.value()).toBeNull();
    loads[0]?.arrive();
    expect(await both).toEqual([counter, counter]);
    expect([value.value(), await value.load()]).toEqual([counter, counter]);
    expect(loads).toHaveLength(1);
  });

  it('is passed to the calls that wait for it, in their order, and then at once', async () => {
    const { loads, value } = slowly();
    const passed: string[] = [];
    value.pass(() => {
      passed.push('a');
      value.pass(() => passed.push('in a'));
    });
    value.pass(() => passed.push('b'));
    const loaded = value.load();
    value.pass(() => passed.push('c'));
    loads[0]?.arrive();
    expect(passed).toEqual([]);
    await loaded;
    expect(passed).toEqual(['a', 'in a', 'b', 'c']);
    value.pass(() => passed.push('d'));
    expect(passed.at(-1)).toBe('d');
  });

  it('is passed to the first thousand of the calls that wait', async () => {
    const { loads, value } = slowly();
    let passed = 0;
    for (let call = 0; call < 2_000; call += 1) value.pass(() => (passed += 1));
    const loaded = value.load();
    loads[0]?.arrive();
    await loaded;
    expect(passed).toBe(1_000);
  });

  it('is loaded again after a failed load, which ends the calls that can fail; the others wait', async () => {
    const { counter, loads, value } = slowly();
    const passed: unknown[] = [];
    value.pass((arrived) => passed.push(arrived));
    value.pass(
      () => passed.push('never'),
      (cause) => passed.push(cause),
    );
    const error = { kind: 'unreachable', problem: 'file', cause: UNLOADED };
    const failed = expect(value.load()).rejects.toMatchObject(error);
    loads[0]?.fail();
    await failed;
    expect(passed).toMatchObject([error]);
    const loaded = value.load();
    loads[1]?.arrive();
    expect(await loaded).toBe(counter);
    expect(passed).toMatchObject([error, counter]);
  });
});

class Counter {
  private count = 0;

  constructor(private readonly step: number) {}

  async add(times: number): Promise<number> {
    this.count += times * this.step;
    return this.count;
  }

  reset(): void {
    this.count = 0;
  }

  now(): number {
    return this.count;
  }
}

describe('the methods of an object that arrives later', () => {
  it('load it, and call in their order', async () => {
    const counter = later(async () => new Counter(2));
    const { add, reset } = methodsOf(counter.load);
    expect(counter.value()).toBeNull();
    const first = add(1);
    reset();
    expect(await Promise.all([first, add(5), add(1)])).toEqual([2, 10, 12]);
  });

  it('are those whose callers can wait', () => {
    const methods = methodsOf(async () => new Counter(1));
    expectTypeOf<keyof typeof methods>().toEqualTypeOf<'add' | 'reset'>();
  });

  it('reject when it cannot be loaded, and load it again at the next call', async () => {
    const loads = [async () => Promise.reject(UNLOADED), async () => new Counter(1)];
    const { add } = methodsOf(async () => loads.shift()?.() ?? Promise.reject(new Error('No third load.')));
    await expect(add(1)).rejects.toBe(UNLOADED);
    expect(await add(1)).toBe(1);
  });

  it('are those of the object that stands in while it cannot be loaded', async () => {
    const { add } = methodsOf<Counter>(
      async () => Promise.reject(UNLOADED),
      () => new Counter(100),
    );
    expect(await add(1)).toBe(100);
  });

  it('are no promise for a caller that awaits the whole object', async () => {
    const methods = methodsOf(async () => new Counter(1));
    expect(await Promise.resolve(methods)).toBe(methods);
  });
});
