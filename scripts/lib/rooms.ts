/** The gate of rooms: how many files a folder of the product holds, and how long a chain of imports inside it is. */
import { basename, dirname } from 'node:path';
import { filesOf, importsIn } from './circles.ts';
import { PRODUCT } from './product.ts';
import { ROOT } from './root.mjs';

/** A folder with more files is sorted into folders, by topic. */
const MAX_FILES = 25;
/** A file is one floor above the highest one of its folder that it imports. */
const MAX_FLOORS = 8;

interface RoomsReport {
  readonly ok: boolean;
  readonly count: number;
  readonly output: string;
}

/** The longest chain of imports that begins with the file, without leaving its folder. The imports have no circles. */
function chainFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const below = (imports.get(file) ?? [])
    .filter((to) => dirname(to) === dirname(file))
    .map((to) => chainFrom(to, imports));
  return [file, ...below.reduce((longest, chain) => (chain.length > longest.length ? chain : longest), [])];
}

/** What is wrong with one folder. */
function problemsOf(room: string, files: readonly string[], imports: ReadonlyMap<string, readonly string[]>) {
  const highest = files.map((file) => chainFrom(file, imports)).find(({ length }) => length > MAX_FLOORS);
  return [
    ...(files.length > MAX_FILES ? [`${room} has ${files.length} files, more than ${MAX_FILES}`] : []),
    ...(highest === undefined
      ? []
      : [`${room} has more than ${MAX_FLOORS} floors: ${highest.map((file) => basename(file)).join(' imports ')}`]),
  ];
}

export function checkRooms(root = ROOT): RoomsReport {
  const rooms = new Map<string, string[]>();
  for (const file of PRODUCT.flatMap((folder) => filesOf(root, folder))) {
    rooms.set(dirname(file), [...(rooms.get(dirname(file)) ?? []), file]);
  }
  const imports = new Map<string, string[]>();
  for (const [from, to] of PRODUCT.flatMap((folder) => importsIn(root, folder))) {
    imports.set(from, [...(imports.get(from) ?? []), to]);
  }
  const problems = [...rooms].flatMap(([room, files]) => problemsOf(room, files, imports));
  return { ok: rooms.size > 0 && problems.length === 0, count: rooms.size, output: problems.join('\n') };
}
