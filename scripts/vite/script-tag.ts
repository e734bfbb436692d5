/**
 * The script-tag build in a folder that a site copies, made of the standalone build's chunks: one classic script with the global
 * `Portico`, and the parts that load on demand, as modules that read shared code from the page.
 *
 * A classic script cannot export, and a module cannot import from one; so the script stores the exports for its parts under a symbol
 * with its hash, and each part reads them there. `src/composition/script-parts.ts` finds the parts.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, parseSync, Visitor, type ESTree, type Plugin, type Rolldown } from 'vite';

const FOLDER = 'script';
const LOADER = fileURLToPath(new URL('../../src/composition/script-parts.ts', import.meta.url));
/** The name of the loader in the script, and under the symbol. No minified name is so long. */
const LOAD = 'porticoPart';

type Edit = readonly [start: number, end: number, replacement: string];

function spliced(code: string, edits: readonly Edit[]): string {
  let text = code;
  for (const [start, end, replacement] of [...edits].sort((a, b) => b[0] - a[0])) {
    text = text.slice(0, start) + replacement + text.slice(end);
  }
  return text;
}

function programOf({ fileName, code }: Rolldown.OutputChunk): ESTree.Program {
  const { program, errors } = parseSync(fileName, code);
  if (errors[0] !== undefined) throw new Error(`${fileName} cannot be read: ${errors[0].message}`);
  return program;
}

const nameOf = (node: ESTree.ModuleExportName): string => (node.type === 'Literal' ? node.value : node.name);

/** The URL of an import(); the minifier writes strings as templates where that is shorter. */
function urlOf(source: ESTree.Expression): string {
  if (source.type === 'Literal') return String(source.value);
  return source.type === 'TemplateLiteral' ? (source.quasis[0]?.value.cooked ?? '') : '';
}

/** A binding of an import statement: the local name and the name in the other chunk. */
const taken = (node: ESTree.ImportDeclaration): readonly (readonly [local: string, name: string])[] =>
  node.specifiers.flatMap((one) =>
    one.type === 'ImportSpecifier' ? [[one.local.name, nameOf(one.imported)] as const] : [],
  );

const importsOf = (program: ESTree.Program): readonly ESTree.ImportDeclaration[] =>
  program.body.filter((node) => node.type === 'ImportDeclaration');
const exportsOf = (program: ESTree.Program): readonly ESTree.ExportNamedDeclaration[] =>
  program.body.filter((node) => node.type === 'ExportNamedDeclaration');

const pairs = (entries: Iterable<readonly [string, string]>): string =>
  [...entries].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');

/** The loader of the parts, as a statement that gives it its name. */
async function loaderScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      target: 'es2022',
      minify: 'oxc',
      write: false,
      rolldownOptions: { input: LOADER, preserveEntrySignatures: 'strict', output: { format: 'iife', name: LOAD } },
    },
  });
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput];
  return output[0].code.trim();
}

/** Every import() of a program becomes a call of the loader. */
function loads(program: ESTree.Program, loader: string): readonly Edit[] {
  const edits: Edit[] = [];
  new Visitor({
    ImportExpression: ({ start, end, source }) =>
      void edits.push([start, end, `${loader}(${JSON.stringify(basename(urlOf(source)))})`]),
  }).visit(program);
  return edits;
}

/** The classic script: the start of the standalone build, and under the symbol the loader and the exports for the other chunks. */
function classicScript(
  entry: Rolldown.OutputChunk,
  start: Rolldown.OutputChunk,
  shared: string,
  loader: string,
): string {
  const program = programOf(start);
  const foreign = importsOf(program)[0];
  if (foreign !== undefined) throw new Error(`${start.fileName} imports ${foreign.source.value}`);
  const removed = exportsOf(program).map((node): Edit => [node.start, node.end, '']);
  const edits = [...removed, ...loads(program, LOAD)];
  const exported = new Map(
    exportsOf(program).flatMap(({ specifiers }) =>
      specifiers.map(({ local, exported: name }) => [nameOf(name), nameOf(local)] as const),
    ),
  );
  const entryProgram = programOf(entry);
  const imported = new Map(importsOf(entryProgram).flatMap(taken));
  const publicNames = exportsOf(entryProgram).flatMap(({ specifiers }) =>
    specifiers.map(({ local, exported: name }): [string, string] => {
      const inStart = imported.get(nameOf(local)) ?? nameOf(local);
      return [nameOf(name), exported.get(inStart) ?? inStart];
    }),
  );
  const body = spliced(start.code, edits);
  // In parentheses, so that the browser compiles it while it downloads, and not first when it runs.
  const given = pairs([...exported, [LOAD, LOAD]]);
  return `var Portico=(function(){"use strict";${loader}\n${body}\n${shared}={${given}};return{${pairs(publicNames)}}})();\n`;
}

/** A part on demand, which reads from the symbol instead of importing from the start. */
function part(chunk: Rolldown.OutputChunk, start: Rolldown.OutputChunk, shared: string): string {
  const program = programOf(chunk);
  const fromStart = importsOf(program).filter(({ source }) => basename(source.value) === basename(start.fileName));
  const edits = fromStart.map((node): Edit => {
    const names = taken(node).map(([local, name]) => [name, local] as const);
    return [node.start, node.end, `const{${pairs(names)}}=${shared};`];
  });
  return spliced(chunk.code, [...edits, ...loads(program, `${shared}.${LOAD}`)]);
}

export function scriptTag(dist: string): Plugin {
  return {
    name: 'script-tag',
    async writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const entry = chunks.find(({ isEntry }) => isEntry);
      const start = chunks.find(({ fileName }) => fileName === entry?.imports[0]);
      if (entry === undefined || start === undefined || entry.imports.length > 1) {
        throw new Error('the standalone entry must take its names from its start alone');
      }
      const hash = createHash('sha256').update(start.code).digest('hex').slice(0, 12);
      const shared = `globalThis[Symbol.for("portico.${hash}")]`;
      mkdirSync(join(dist, FOLDER), { recursive: true });
      writeFileSync(join(dist, FOLDER, 'portico.js'), classicScript(entry, start, shared, await loaderScript()));
      for (const chunk of chunks) {
        if (chunk === entry || chunk === start) continue;
        writeFileSync(join(dist, FOLDER, basename(chunk.fileName)), part(chunk, start, shared));
      }
    },
  };
}
