import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/lib/root.mjs';
import { test } from '../../e2e/fixtures.ts';

const parts = (version: string): readonly number[] => version.split('.').map(Number);

function isOlder(version: string, needed: string): boolean {
  const [have, want] = [parts(version), parts(needed)];
  const at = want.findIndex((part, index) => part !== have[index]);
  return at >= 0 && (have[at] ?? 0) < (want[at] ?? 0);
}

/** Skips the tests of a file where this Node is older than its example's framework needs: its `engines.node`, which is `>=` and a version. */
export function skipOnOlderNode(name: string): void {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'examples', name, 'package.json'), 'utf8')) as {
    readonly engines?: { readonly node: string };
  };
  const needed = manifest.engines?.node.replace('>=', '') ?? '0';
  test.skip(isOlder(process.versions.node, needed), `examples/${name} needs Node ${needed}`);
}
