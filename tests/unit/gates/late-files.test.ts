import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/root.mjs';

/** Files of programs and servers, which have no person to tell. */
const ELSEWHERE = /^src\/composition\/(?:tools|server|inspector)\b/u;
/** Loaders that `later` calls, which turns a failure into the error as `fromFile` does, and one that answers null instead. */
const IN_LATER = [
  'src/application/widget/widgets.ts',
  'src/composition/client.ts',
  'src/composition/lazy/lazy-ports.ts',
];

describe('a file that loads later', () => {
  it('is awaited through `fromFile` or `later`, so that its failure says that a file is missing', () => {
    const bare = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter(
      (file) =>
        !ELSEWHERE.test(file) &&
        !IN_LATER.includes(file) &&
        /\bawait import\((?!.*\)\s*\.catch\()|\bfrom\(import\(/u.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(bare).toEqual([]);
  });
});
