/**
 * The script-tag build, made of the standalone build's own chunks: one classic script with the global `Portico`, and
 * beside it the parts that load on demand, as modules that take what they share with it from the page.
 *
 * A classic script cannot export, and a module cannot import from one; so the script leaves what its parts need under a
 * symbol that holds its hash, and each part reads it there.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseSync } from 'vite';

const FOLDER = 'script';

/** The text with each `[start, end, replacement]` in place. */
function spliced(code, edits) {
  let text = code;
  for (const [start, end, replacement] of edits.toSorted((a, b) => b[0] - a[0])) {
    text = text.slice(0, start) + replacement + text.slice(end);
  }
  return text;
}

function walk(node, visit) {
  if (node === null || typeof node !== 'object') return;
  if (typeof node.type === 'string') visit(node);
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const each of value) walk(each, visit);
    else walk(value, visit);
  }
}

const nameOf = (node) => node.name ?? node.value;
const withoutMap = (code) => code.replace(/\n?\/\/# sourceMappingURL=.*$/m, '');

function programOf({ fileName, code }) {
  const { program, errors } = parseSync(fileName, code);
  if (errors.length > 0) throw new Error(`${fileName} cannot be read: ${errors[0].message}`);
  return program;
}

/** A chunk's exports by their public name, and its code without the statement that makes them. */
function unexported(chunk) {
  const exported = new Map();
  const edits = [];
  for (const node of programOf(chunk).body) {
    if (node.type === 'ImportDeclaration') throw new Error(`${chunk.fileName} imports ${node.source.value}`);
    if (node.type !== 'ExportNamedDeclaration') continue;
    for (const { local, exported: name } of node.specifiers) exported.set(nameOf(name), nameOf(local));
    edits.push([node.start, node.end, '']);
  }
  return { exported, edits };
}

/** `{ local name: name in the core }` of what a chunk imports from it. */
function importsFrom(node) {
  return node.specifiers.map(({ imported, local }) => [nameOf(local), nameOf(imported)]);
}

const pairs = (entries) => entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');

/** @param {object[]} output rolldown's chunks: `standalone.js`, its core, and the parts on demand */
export function writeScriptTag(output, dist) {
  const chunks = output
    .filter(({ type }) => type === 'chunk')
    .map((chunk) => ({ ...chunk, code: withoutMap(chunk.code) }));
  const entry = chunks.find(({ isEntry }) => isEntry);
  const core = chunks.find(({ fileName }) => fileName === entry.imports[0]);
  if (entry.imports.length !== 1) throw new Error(`the standalone entry imports ${entry.imports.join(', ')}`);
  const hash = createHash('sha256').update(core.code).digest('hex').slice(0, 12);
  const shared = `globalThis[Symbol.for("portico.${hash}")]`;

  const { exported, edits } = unexported(core);
  walk(programOf(core), (node) => {
    if (node.type !== 'ImportExpression') return;
    // The minifier writes strings as templates where that is shorter.
    const url = node.source.value ?? node.source.quasis[0].value.cooked;
    edits.push([node.source.start, node.source.end, JSON.stringify(`./${FOLDER}/${basename(url)}`)]);
  });
  const names = new Map();
  const publicNames = [];
  for (const node of programOf(entry).body) {
    if (node.type === 'ImportDeclaration') for (const [local, name] of importsFrom(node)) names.set(local, name);
    if (node.type !== 'ExportNamedDeclaration') continue;
    for (const { local, exported: name } of node.specifiers) {
      publicNames.push([nameOf(name), exported.get(names.get(nameOf(local)) ?? nameOf(local))]);
    }
  }
  const body = spliced(core.code, edits);
  // In parentheses, so that the browser compiles it while it downloads, and not first when it runs.
  const script = `var Portico=(function(){"use strict";${body}\n${shared}={${pairs([...exported])}};return{${pairs(publicNames)}}})();\n`;
  writeFileSync(join(dist, 'portico.js'), script);

  mkdirSync(join(dist, FOLDER), { recursive: true });
  for (const chunk of chunks) {
    if (chunk === entry || chunk === core) continue;
    const takes = programOf(chunk).body.filter(
      (node) => node.type === 'ImportDeclaration' && basename(node.source.value) === basename(core.fileName),
    );
    const code = spliced(
      chunk.code,
      takes.map((node) => {
        const taken = importsFrom(node).map(([local, name]) => `${JSON.stringify(name)}:${local}`);
        return [node.start, node.end, `const{${taken.join(',')}}=${shared};`];
      }),
    );
    writeFileSync(join(dist, FOLDER, basename(chunk.fileName)), code);
  }
}
