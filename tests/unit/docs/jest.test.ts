import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { exampleNamed } from './examples.ts';

interface Manifest {
  readonly type?: string;
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;

/** Every package that this one installs. */
function dependencies(): readonly string[] {
  const found = new Set<string>();
  const visit = (manifest: Manifest): void => {
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      if (found.has(name)) continue;
      found.add(name);
      visit(manifestOf(`node_modules/${name}`));
    }
  };
  visit(manifestOf('.'));
  return [...found];
}

it('Jest compiles the packages that have no CommonJS, and no other, with the documented configuration', () => {
  const module = { exports: {} as { readonly transformIgnorePatterns?: readonly string[] } };
  runInNewContext(exampleNamed('jest.config.cjs').source, { module });
  const patterns = (module.exports.transformIgnorePatterns ?? []).map((text) => new RegExp(text, 'u'));
  const isCompiled = (name: string): boolean =>
    !patterns.some((pattern) => pattern.test(`/app/node_modules/${name}/dist/index.js`));
  const needed = dependencies().filter((name) => {
    const { type, exports } = manifestOf(`node_modules/${name}`);
    return type === 'module' && !JSON.stringify(exports ?? {}).includes('"require"');
  });
  expect(needed.length).toBeGreaterThan(0);
  expect(['portico', ...dependencies()].filter(isCompiled).sort()).toEqual(['portico', ...needed].sort());
});
