/** The process of the operating system that runs a tab: it can be killed or stopped, whatever the browser. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

interface ProcessState {
  readonly parent: number;
  /** Computing time, in ticks of the system. */
  readonly ticks: number;
}

/** Whether this machine can tell the process of a tab. */
export const HAS_PROC = process.platform === 'linux';

/** proc(5): after the name in brackets come state, parent, … and, as the 12th and 13th, user and system time. */
function stateOf(pid: number): ProcessState | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) };
  } catch {
    return null;
  }
}

/**
 * The computing time of the processes below this one that could run a tab, by id. The one that has started others is the browser itself,
 * which may compute as much as a tab while other tabs open.
 */
function ticksBelow(root: number): ReadonlyMap<number, number> {
  const all = new Map<number, ProcessState>();
  for (const name of readdirSync('/proc')) {
    const state = /^\d+$/u.test(name) ? stateOf(Number(name)) : null;
    if (state !== null) all.set(Number(name), state);
  }
  const isBelow = (pid: number): boolean => {
    const parent = all.get(pid)?.parent ?? 0;
    return parent === root || (parent > 1 && isBelow(parent));
  };
  const parents = new Set([...all.values()].map(({ parent }) => parent));
  const canBeTab = (pid: number): boolean => !parents.has(pid) && isBelow(pid);
  return new Map([...all].filter(([pid]) => canBeTab(pid)).map(([pid, { ticks }]) => [pid, ticks]));
}

const TRIES = 20;

/** Computes for a while, in the page. */
export function compute(): number {
  let sum = 0;
  for (let step = 0; step < 100_000_000; step += 1) sum = (sum * 31 + step) % 65_521;
  return sum;
}

/**
 * Finds the process of the tab: the one that computes while `computeInTab` does, two times in a row. Other tabs should rest: one that
 * computes as much is a reason to try again. Once could be by chance, because the browser starts a process.
 */
export async function processOf(computeInTab: () => Promise<unknown>): Promise<number> {
  let found = 0;
  for (let count = 0; count < TRIES; count += 1) {
    const before = ticksBelow(process.pid);
    // oxlint-disable-next-line no-await-in-loop -- one try after the other
    await computeInTab();
    const spent = [...ticksBelow(process.pid)].map(([pid, ticks]) => [pid, ticks - (before.get(pid) ?? 0)] as const);
    // A new list; the types of these tests have no toSorted.
    const [first, second] = spent.sort(([, one], [, other]) => other - one);
    const [pid, ticks] = first ?? [0, 0];
    const isClear = ticks > 0 && ticks >= 3 * (second?.[1] ?? 0);
    if (isClear && pid === found) return pid;
    found = isClear ? pid : 0;
  }
  throw new Error('the process of the tab was not found');
}
