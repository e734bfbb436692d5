import { expect, it } from 'vitest';
import type { Database } from '#provider/base/db/database.ts';
import { DevClock } from '#provider/dev/control/dev-clock.ts';
import { BEGUN, ENDING } from '#provider/dev/control/end-later.ts';
import { BOUNDS } from '#provider/operation/retention/bounds.ts';

/** What a sweep deletes for another reason than that it has ended, or what another party dated. */
const LASTING: ReadonlySet<string> = new Set([
  'users',
  'totps',
  'sessions',
  'operator_sessions',
  'audit_log',
  'used_trusted_tokens',
  'agents',
  'notices',
]);

it('a clock that is put back ends everything that ends by itself', () => {
  const tables = Object.keys(BOUNDS) as (keyof Database)[];
  const ends = tables.filter((table) => BOUNDS[table].by === 'sweep' && !LASTING.has(table));
  // Counts of an hour are written to the log when it is over, and deleted then.
  expect(new Set([...Object.keys(BEGUN), ...ENDING])).toEqual(new Set([...ends, 'audit_counts']));
});

it('a change of the clock waits for what an earlier run left', async () => {
  const done: string[] = [];
  let unlock = (): void => undefined;
  const locked = new Promise<void>((resolve) => (unlock = resolve));
  const clock = new DevClock({ now: () => Date.UTC(2026, 0, 1) }, undefined, async () => {
    await locked;
    done.push('ended');
  });
  void clock.start();
  const moved = clock.change(null, { move_ms: 60_000 }).then(() => done.push('moved'));
  unlock();
  await moved;
  expect(done).toEqual(['ended', 'moved']);
});
