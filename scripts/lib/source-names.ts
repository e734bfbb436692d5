/**
 * The gates of names. No type, interface, class or enum is named by one participle or gerund: a type is a noun of the field. Private members
 * are declared `private`, never `#x`: a client in a reactive proxy of the page has no `#x`. Names use the words of the glossary.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  parseSync,
  Visitor,
  type BindingIdentifier,
  type BindingPattern,
  type MethodDefinition,
  type PropertyDefinition,
} from 'oxc-parser';
import { ROOT } from './root.mjs';

export interface NamesReport {
  readonly ok: boolean;
  /** The number of declarations. */
  readonly count: number;
  readonly output: string;
}

export interface FileNames {
  readonly count: number;
  /** The offset and the description of each fault. */
  readonly faults: readonly (readonly [start: number, fault: string])[];
}

const SOURCES = ['src', 'provider/src', 'provider/tests', 'scripts', 'demo', 'site', 'bench', 'tests'];
const SKIPPED = /(?:^|\/)(?:node_modules|dist|\.[^/]+)\//u;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Words that end like a participle and are nouns. */
const NOUNS = words(`
  Bed Breed Deed Feed Need Seed Speed Weed
  Binding Building Ceiling Docstring Drawing Encoding Heading Listing Mapping Meaning
  Rating Recording Ring Setting Sibling Spring String Thing Timing Warning Wing Wording
`);

/** Participles that do not end in -ed or -ing. */
const IRREGULAR = words(`
  Begun Bound Bought Broken Brought Built Caught Chosen Cut Done Drawn Driven Fallen
  Felt Forbidden Forgotten Found Frozen Given Gone Grown Heard Held Hidden Kept Known
  Left Lent Lost Made Meant Met Paid Proven Put Read Risen Said Seen Sent Shown
  Shut Sold Spent Spoken Stolen Sworn Taken Taught Thrown Told Torn Woken Won Written
`);

const isParticiple = (name: string): boolean =>
  IRREGULAR.has(name) || (/^[A-Z][a-z]*(?:ed|ing)$/u.test(name) && !NOUNS.has(name));

/** The declarations of types in a file. */
function typesIn(file: string, text: string): readonly BindingIdentifier[] {
  const found: BindingIdentifier[] = [];
  const add = ({ id }: { readonly id: BindingIdentifier | null }): void => {
    if (id !== null) found.push(id);
  };
  const visitor = new Visitor({
    TSTypeAliasDeclaration: add,
    TSInterfaceDeclaration: add,
    TSEnumDeclaration: add,
    ClassDeclaration: add,
    ClassExpression: add,
  });
  visitor.visit(parseSync(file, text).program);
  return found;
}

function sourcesIn(root: string, folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return names.map((name) => join(folder, name)).filter((name) => /\.tsx?$/u.test(name) && !SKIPPED.test(name));
  });
}

/** Reads every source. `problemsOf` returns how many names a file has, and the faults among them by their offset. */
export function check(
  root: string,
  problemsOf: (file: string, text: string) => FileNames,
  folders: readonly string[] = SOURCES,
): NamesReport {
  let count = 0;
  const problems = sourcesIn(root, folders).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const found = problemsOf(file, text);
    count += found.count;
    return found.faults.map(([start, fault]) => `${file}:${text.slice(0, start).split('\n').length} ${fault}`);
  });
  return { ok: count > 0 && problems.length === 0, count, output: problems.join('\n') };
}

export const checkTypeNames = (root = ROOT): NamesReport =>
  check(root, (file, text) => {
    const types = typesIn(file, text);
    const faults = types
      .filter(({ name }) => isParticiple(name))
      .map(({ name, start }) => [start, `names a type ${name}: use a noun of the field`] as const);
    return { count: types.length, faults };
  });

export const checkPrivateMembers = (root = ROOT): NamesReport =>
  check(root, (file, text) => {
    let count = 0;
    const faults: [number, string][] = [];
    const add = ({ key, start }: MethodDefinition | PropertyDefinition): void => {
      count += 1;
      if (key.type === 'PrivateIdentifier') faults.push([start, `declares #${key.name}: use private ${key.name}`]);
    };
    new Visitor({ MethodDefinition: add, PropertyDefinition: add }).visit(parseSync(file, text).program);
    return { count, faults };
  });

/** The words that the glossary of `docs/architecture.md` does not use, from the third column of its table. */
function unusedWords(root: string): readonly string[] {
  const [, glossary = ''] = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('\n## Glossary\n');
  const columns = glossary.split('\n').map((line) => line.split('|')[3] ?? '');
  return columns.flatMap((column) => Array.from(column.matchAll(/`(\w+)`/gu), ([, word = '']) => word));
}

/** The types, functions and variables that a file declares. */
function declarationsIn(file: string, text: string): readonly BindingIdentifier[] {
  const found = [...typesIn(file, text)];
  const add = ({ id }: { readonly id: BindingPattern | null }): void => {
    if (id?.type === 'Identifier') found.push(id);
  };
  new Visitor({ FunctionDeclaration: add, VariableDeclarator: add }).visit(parseSync(file, text).program);
  return found;
}

export function checkWords(root = ROOT): NamesReport {
  const unused = unusedWords(root).map((word) => {
    const [first, rest] = [word.charAt(0), word.slice(1)];
    return { word, pattern: new RegExp(`(?:${first}|^${first.toLowerCase()})${rest}(?=s?(?:[^a-z]|$))`, 'u') };
  });
  const problemsOf = (file: string, text: string): FileNames => {
    const names = declarationsIn(file, text);
    const faults = names.flatMap(({ name, start }) =>
      unused
        .filter(({ pattern }) => pattern.test(name))
        .map(({ word }) => [start, `names something ${name}: the glossary has another word for ${word}`] as const),
    );
    return { count: unused.length === 0 ? 0 : names.length, faults };
  };
  return check(root, problemsOf, ['src', 'provider/src']);
}
