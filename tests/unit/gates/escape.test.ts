import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

it('every Escape that closes something of a widget ends there', () => {
  const folder = join(ROOT, 'src/presentation');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/u.test(name));
  const found = files.filter((name) => readFileSync(join(folder, name), 'utf8').includes("'Escape'"));
  expect(found).toEqual(['hooks/escape.ts']);
});
