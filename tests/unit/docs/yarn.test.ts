import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

type Names = Readonly<Record<string, string>>;

interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Names;
  readonly peerDependencies?: Names;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** The packages below one that lack a peer: `[package that does not pass it on, the peer]`. */
function unmetPeers(name: string, found = new Map<string, string>(), seen = new Set<string>()): Map<string, string> {
  if (seen.has(name)) return found;
  seen.add(name);
  const { version = '', dependencies = {}, peerDependencies = {} } = packages[name] ?? {};
  for (const each of Object.keys(dependencies)) {
    const { peerDependencies: peers = {}, peerDependenciesMeta = {} } = packages[`node_modules/${each}`] ?? {};
    for (const peer of Object.keys(peers)) {
      const isMet = peer in dependencies || peer in peerDependencies || peerDependenciesMeta[peer]?.optional === true;
      if (!isMet) found.set(`${name.replace('node_modules/', '')}@${version.split('.')[0]}`, peer);
    }
    unmetPeers(`node_modules/${each}`, found, seen);
  }
  return found;
}

it('passes on each peer that Yarn’s Plug’n’Play would not find', () => {
  const lacking = [...unmetPeers('')].map(([name, peer]) => [name, { dependencies: { [peer]: '*' } }]);
  const [, said = '{}'] = /packageExtensions '(.*)'/u.exec(read('docs/getting-started.md')) ?? [];
  expect(JSON.parse(said)).toEqual(Object.fromEntries(lacking));
});
