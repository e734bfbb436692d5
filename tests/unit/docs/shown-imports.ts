import { posix } from 'node:path';
import type { Example } from './examples.ts';
import { appOf, fileNameOf, type Files } from './guide-files.ts';

/** `import … from '…'`, `export … from '…'`, `import '…'` and `import('…')`: what is imported, and from where. */
const IMPORT =
  /(?:^|[\s;>])(?:import|export)\s+(?:type\s+)?([\w$*{}\s,]+?)\s+from\s*(['"])([^'"]+)\2|\bimport\s*\(?\s*(['"])([^'"]+)\4/gmu;
const LOCAL = /^(?:\.{1,2}\/|[#~]|@\/|\$lib\b)/u;
const DECLARED =
  /\bexport\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|var|class|interface|type|enum)\s+([\w$]+)/gu;
const LISTED = /\bexport\s+(?:type\s+|const\s+)?\{([^}]*)\}/gu;
/** Files that export more than their text says: a component of a framework, and what is no script. */
const OPAQUE = /\.(?:vue|svelte|astro|css|json|svg|png)$/u;
const ENDINGS = ['', '.ts', '.tsx', '.js', '.jsx', '.mjs', '/index.ts', '/index.tsx', '/index.js'];

interface LocalImport {
  readonly specifier: string;
  /** As the other file exports them. */
  readonly names: readonly string[];
}

/** The last word of `type A as B` on one side. */
const wordOf = (item: string, side: 'before' | 'after'): string => {
  const words = item
    .trim()
    .replace(/^type\s+/u, '')
    .split(/\s+as\s+|\s*:\s*/u);
  return (side === 'before' ? words[0] : words.at(-1)) ?? '';
};
const itemsOf = (list: string): readonly string[] => list.split(',').filter((item) => item.trim() !== '');

function localImports(source: string): readonly LocalImport[] {
  return [...source.matchAll(IMPORT)].flatMap(([, clause = '', , from, , alone]) => {
    const specifier = from ?? alone ?? '';
    if (!LOCAL.test(specifier)) return [];
    const listed = /\{([^}]*)\}/u.exec(clause)?.[1] ?? '';
    const names = itemsOf(listed).map((item) => wordOf(item, 'before'));
    const [first = ''] = clause.replace(/\{[^}]*\}/u, '').split(',');
    return [{ specifier, names: /^\s*[\w$]+\s*$/u.test(first) ? ['default', ...names] : names }];
  });
}

function exportedNames(source: string): ReadonlySet<string> {
  const declared = [...source.matchAll(DECLARED)].map(([, name = '']) => name);
  const listed = [...source.matchAll(LISTED)].flatMap(([, list = '']) =>
    itemsOf(list).map((item) => wordOf(item, 'after')),
  );
  return new Set([...declared, ...listed, ...(/\bexport\s+default\b/u.test(source) ? ['default'] : [])]);
}

/** `imports` of the package.json that a page shows: `"#lib/*": "./src/lib/*"`. */
function aliasesOf(text: string): readonly (readonly [string, string])[] {
  return [...text.matchAll(/"(#[^"]*)\*":\s*"\.\/([^"]*)\*"/gu)].map(([, from = '', to = '']) => [from, to]);
}

/** The names that a file may have in the page: its own, with another ending, and TypeScript's for a compiled one. */
function candidates(importer: string, specifier: string, aliases: readonly (readonly [string, string])[]): string[] {
  const alias = aliases.find(([prefix]) => specifier.startsWith(prefix));
  const [path = ''] = specifier.split('?');
  const at = alias
    ? alias[1] + path.slice(alias[0].length)
    : posix.normalize(posix.join(posix.dirname(importer), path));
  return [...ENDINGS.map((ending) => at + ending), at.replace(/\.(m?)js$/u, '.$1ts'), at.replace(/\.js$/u, '.tsx')];
}

/**
 * The imports of a page's blocks that lead to a file which neither the page shows nor the reader's starter has, or to a name that the
 * file does not export where it is shown.
 *
 * @param text the page, whose prose may name aliases
 */
export function importProblems(examples: readonly Example[], text: string, starter: Files): readonly string[] {
  const shown = new Map<string, string>();
  const keyOf = (example: Example, name: string): string => `${appOf(example)}:${name}`;
  for (const example of examples) {
    const name = fileNameOf(example);
    if (name === null) continue;
    shown.set(keyOf(example, name), `${shown.get(keyOf(example, name)) ?? ''}\n${example.source}`);
  }
  const aliases = aliasesOf(text);
  return examples.flatMap((example) => {
    const importer = fileNameOf(example) ?? '';
    return localImports(example.source).flatMap(({ specifier, names }) => {
      const places = candidates(importer, specifier, aliases);
      const found = places.find((place) => shown.has(keyOf(example, place)) || place in starter);
      const where = `${example.page}, line ${example.line}: '${specifier}'`;
      if (found === undefined) return [`${where} is not shown`];
      if (OPAQUE.test(found)) return [];
      const exported = exportedNames(shown.get(keyOf(example, found)) ?? starter[found] ?? '');
      return names.filter((name) => !exported.has(name)).map((name) => `${where} is shown without ${name}`);
    });
  });
}
