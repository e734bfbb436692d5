import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

/** A write that lasts. The files of a worker share the environment, and `vi.stubEnv` ends with its file. */
const WRITE = /process\.env(?:\.\w+|\[[^\]]+\]) (?:\?\?)?=(?!=)|delete process\.env|\(process\.env,/u;

it('no test file changes the environment of the next one', () => {
  const files = ['provider/tests', 'tests/unit', 'tests/contract', 'tests/package'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  const tests = files.filter((path) => /\.test\.tsx?$/u.test(path));
  expect(tests.length).toBeGreaterThan(500);
  expect(tests.filter((path) => WRITE.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  const environment = ['process', 'env'].join('.');
  const writes = [`${environment}['A'] = 'b'`, `${environment}.A ??= 'b'`, `Object.assign(${environment}, {})`];
  expect(writes.filter((text) => WRITE.test(text))).toEqual(writes);
});
