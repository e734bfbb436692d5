import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/root.mjs';
import type { Modules, DeclarationPlace } from './modules.ts';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** An importable path of the package. */
export interface Entry {
  /** The import specifier: `portico/server/hono`. */
  readonly name: string;
  readonly slug: string;
  readonly file: string;
  readonly exports: ReadonlyMap<string, DeclarationPlace>;
}

/** The same as `portico` with another renderer. */
const TWINS: ReadonlySet<string> = new Set(['./standalone']);

export function readEntries(modules: Modules, root = ROOT): readonly Entry[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string' || TWINS.has(path)) return [];
    const file = join(root, target.types);
    const rest = path.slice(2);
    return [
      {
        name: rest === '' ? name : `${name}/${rest}`,
        slug: rest === '' ? name : rest.replaceAll('/', '-'),
        file,
        exports: modules.exportsOf(file),
      },
    ];
  });
}

export const keyOf = ({ file, name }: DeclarationPlace): string => `${file}#${name}`;

/**
 * The entry whose page contains each declaration: the one with the fewest exports, so that re-exports are described at the smaller
 * entry.
 */
export function ownersOf(
  entries: readonly Entry[],
): ReadonlyMap<string, { readonly entry: Entry; readonly name: string }> {
  const owners = new Map<string, { readonly entry: Entry; readonly name: string }>();
  for (const entry of [...entries].sort((one, other) => one.exports.size - other.exports.size)) {
    for (const [name, place] of entry.exports) {
      if (!owners.has(keyOf(place))) owners.set(keyOf(place), { entry, name });
    }
  }
  return owners;
}
