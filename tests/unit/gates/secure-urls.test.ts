import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PRODUCT } from '#scripts/lib/product.ts';
import { ROOT } from '#scripts/lib/root.mjs';

/** A condition on https and on loopback hosts, in either order. */
const OWN_RULE =
  /(?:'https:|"https:|`https:)[^;]{0,160}\bisLoopback(?:Host|Origin)\b|\bisLoopback(?:Host|Origin)\([^;]{0,160}'https:/su;

it('one function decides which addresses are secure: no other file compares the scheme and the loopback hosts', () => {
  const files = PRODUCT.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  ).filter((path) => /\.tsx?$/u.test(path) && path !== 'src/domain/safe-url.ts');
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => OWN_RULE.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
});
