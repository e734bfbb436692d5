import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** More lines are read by nobody. A version says what its users get; the history has the rest. */
const MAX_LINES = 45;

it('the changelog has at most 45 lines for each version', () => {
  const [, ...versions] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /mu);
  expect(versions.length).toBeGreaterThan(0);
  const long = versions.map((text) => text.trimEnd().split('\n')).filter(({ length }) => length > MAX_LINES);
  expect(long.map(([title]) => title)).toEqual([]);
});
