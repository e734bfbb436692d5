/**
 * The gate of circles: no folders and no files import each other, directly or through others. Types and `import()` count.
 *
 * A folder without folders in it is one node of the graph. A file in a folder with folders is a separate node.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { alg, Graph } from '@dagrejs/graphlib';
import { importedFile } from './import-names.ts';
import { specifiersIn } from './imports.ts';
import { PRODUCT } from './product.ts';
import { ROOT } from './root.mjs';

interface CirclesReport {
  readonly ok: boolean;
  readonly files: number;
  readonly output: string;
}

/** The sources in the folder and below it, as paths from the root of the repository. */
export const filesOf = (root: string, folder: string): readonly string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:tsx?|mjs)$/u.test(name))
        .map((name) => join(folder, name))
    : [];

/** Every import of the folder: the importing file and the imported one, as paths from the root of the repository. */
export function importsIn(root: string, folder: string): readonly (readonly [from: string, to: string])[] {
  return filesOf(root, folder).flatMap((file) => {
    const specifiers = specifiersIn(file, readFileSync(join(root, file), 'utf8'));
    const imported = specifiers.map((each) => importedFile(file, each) ?? '');
    return imported.filter((to) => to.startsWith(folder)).map((to) => [file, to] as const);
  });
}

/** The node of a file: its folder, or the file itself if its folder has folders. */
function folderOf(root: string, file: string): string {
  const folder = dirname(file);
  const isMixed = readdirSync(join(root, folder)).some((name) => statSync(join(root, folder, name)).isDirectory());
  return isMixed ? file : folder;
}

/** Sets of nodes that all reach each other; each set has two or more. */
function circlesOf(edges: Iterable<readonly [string, string]>): readonly (readonly string[])[] {
  const graph = new Graph();
  for (const [from, to] of edges) if (from !== to) graph.setEdge(from, to);
  return alg.tarjan(graph).filter((nodes) => nodes.length > 1);
}

function describe(kind: string, circle: readonly string[], edges: readonly (readonly [string, string])[]): string {
  const between = edges.filter(([from, to]) => from !== to && circle.includes(from) && circle.includes(to));
  const lines = between.map(([from, to]) => `  ${from} imports ${to}`);
  return `${circle.length} ${kind} import each other:\n${[...new Set(lines)].sort().join('\n')}`;
}

export function checkCircles(root = ROOT): CirclesReport {
  const imports = PRODUCT.flatMap((folder) => importsIn(root, folder));
  const known = new Map<string, string>();
  const nodeOf = (file: string): string => {
    const node = known.get(file) ?? folderOf(root, file);
    known.set(file, node);
    return node;
  };
  const between = imports.map(([from, to]) => [nodeOf(from), nodeOf(to)] as const);
  const problems = [
    ...circlesOf(imports).map((circle) => describe('files', circle, imports)),
    ...circlesOf(between).map((circle) => describe('folders', circle, between)),
  ];
  const files = new Set(imports.map(([from]) => relative('.', from))).size;
  return { ok: files > 0 && problems.length === 0, files, output: problems.join('\n') };
}
