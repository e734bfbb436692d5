import type { Matchers, TestRunner } from '../runner.ts';

export interface Case {
  readonly suite: string;
  readonly name: string;
  readonly run: () => Promise<void>;
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => item ?? String(item)) ?? 'undefined';

/** Arrays and plain objects by what is in them, anything else by identity. */
function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => equal(left[key], right[key]));
}

function expect(actual: unknown): Matchers {
  const check = (holds: boolean, expected: unknown): void => {
    if (!holds) throw new Error(`expected ${shown(expected)}, got ${shown(actual)}`);
  };
  return {
    toBe: (expected) => check(Object.is(actual, expected), expected),
    toEqual: (expected) => check(equal(actual, expected), expected),
  };
}

/** A runner that runs nothing: it notes what the suites declare, for somebody else to run one by one. */
export function collect(declare: (runner: TestRunner) => void): readonly Case[] {
  const cases: Case[] = [];
  let suite = '';
  declare({
    describe: (name, body) => {
      suite = name;
      body();
    },
    it: (name, run) => void cases.push({ suite, name, run }),
    expect,
  });
  return cases;
}
