import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

/** A temporary folder with these files, gone when the test is done. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'portico-gate-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

/** A small project under the rules of this one. */
export function projectWith(files: Readonly<Record<string, string>>): string {
  const rules = ['.oxlintrc.json', '.oxfmtrc.json', 'tsconfig.json', 'tsconfig.core.json'];
  const root = folderWith({
    ...Object.fromEntries(rules.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')])),
    'package.json': '{ "type": "module" }\n',
    ...files,
  });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}
