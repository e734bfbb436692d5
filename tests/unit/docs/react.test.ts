import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { examplesOf } from './examples.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/react.md');

/** The names that an entry exports, types included. */
const exported = [...read('src/composition/react.tsx').matchAll(/export (?:type )?\{([^}]+)\}/gu)].flatMap(
  ([, names = '']) => names.split(',').map((name) => name.trim().replace(/^type /u, '')),
);

describe('The page about React', () => {
  it('names everything that portico/react exports', () => {
    expect(exported).toContain('PorticoProvider');
    expect(exported.filter((name) => !new RegExp(`\`${name}\\b`, 'u').test(page))).toEqual([]);
  });

  it('has the import of every name in each of its fragments', () => {
    for (const { source } of examplesOf('docs/react.md', page)) {
      expect(source).toMatch(/^import /u);
    }
  });
});
