import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

const THREATS = 291;
const PATH = /`([\w./-]+\/[\w.-]+\.(?:tsx?|mjs))`/gu;
const TEST = /\.(?:test|spec|contract|flow)\.tsx?$/u;

interface Row {
  readonly name: string;
  readonly defence: string;
  readonly tests: readonly string[];
}

const text = readFileSync(join(ROOT, 'docs/threat-model.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => /^\| T\d{2,3} \|/u.test(line))
  .map((line): Row => {
    const [, name = '', , defence = '', tests = ''] = line.split('|').map((cell) => cell.trim());
    return { name, defence, tests: [...tests.matchAll(PATH)].map(([, path = '']) => path) };
  });

/** A case that every run plays: not one of a soak alone. */
const plays = (block: string): boolean => {
  const cases = block
    .split(/^\s*(?=(?:it|soakIt|listedIf|test|suite|allFlows)(?:\.(?:each|runIf|skipIf))?\()/mu)
    .slice(1);
  return cases.some((one) => !/^soakIt|^[^{]*?'@soak'|^[\s\S]{0,200}?\{ tag: [^}]*'@soak'/u.test(one));
};

/** Whether some case of the file is played without `SOAK=1`, by the words with which cases are left to soaks. */
function isPlayed(path: string): boolean {
  if (path.includes('.soak.')) return false;
  const source = readFileSync(join(ROOT, path), 'utf8');
  if (!/soakIt|soakDescribe|@soak/u.test(source)) return true;
  return source
    .split(/^(?=(?:soakD|d)escribe\b)/mu)
    .filter((block) => !block.startsWith('soakDescribe'))
    .some(plays);
}

describe('the threat model', () => {
  it('lists every threat once, in order', () => {
    expect(rows.map(({ name }) => name)).toEqual(
      Array.from({ length: THREATS }, (_, index) => `T${String(index + 1).padStart(2, '0')}`),
    );
  });

  it.each(rows)('$name has a defence, and tests that are there', ({ defence, tests }) => {
    expect(defence).not.toBe('');
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((path) => !TEST.test(path) || !existsSync(join(ROOT, path)))).toEqual([]);
    expect(new Set(tests).size).toBe(tests.length);
  });

  it.each(rows)('$name has a test that every run plays, not only those with SOAK=1', ({ tests }) => {
    expect(tests.filter(isPlayed)).not.toEqual([]);
  });

  it('finds out which files soaks alone play', () => {
    const files = [
      'provider/tests/db/kills.soak.test.ts',
      'tests/examples/electron.soak.spec.ts',
      'tests/e2e/wallet-keyboard.spec.ts',
      'tests/e2e/wallets-siwe.spec.ts',
      'tests/e2e/account-sessions.spec.ts',
      'provider/tests/attacks/delivery-kills.soak.test.ts',
    ];
    expect(files.filter(isPlayed)).toEqual([]);
    const others = ['provider/tests/cli/process.test.ts', 'tests/e2e/passcode.spec.ts', 'tests/examples/apps.spec.ts'];
    expect(others.filter((path) => !isPlayed(path))).toEqual([]);
  });
});
