/**
 * The gates of names. No type, interface, class or enum is named by one participle or gerund: a type is a noun of the field. No value of the
 * product is named by one of the participles of a table: a boolean has a verb (`isKnown`), and the others are nouns, too. Private members
 * are declared `private`, never `#x`: a client in a reactive proxy of the page has no `#x`. Names use the words of the glossary.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  parseSync,
  Visitor,
  type BindingIdentifier,
  type BindingPattern,
  type BindingRestElement,
  type MethodDefinition,
  type ParamPattern,
  type PropertyDefinition,
  type TSParameterProperty,
} from 'oxc-parser';
import { PRODUCT } from './product.ts';
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

const SOURCES = [...PRODUCT, 'provider/tests', 'scripts', 'demo', 'site', 'bench', 'tests'];
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

/** Participles that do not name a value, and better names. Members of types are exempt: they may be public, of the wire, or of a row. */
const VALUE_NAMES: Readonly<Record<string, string>> = {
  answered: 'response',
  asked: 'request',
  begun: 'attempt',
  bound: 'key or isBound',
  chosen: 'selection',
  described: 'description',
  ended: 'hasEnded',
  given: 'options, input or value',
  gone: 'isGone',
  heard: 'listener',
  held: 'lock',
  judged: 'verdict',
  kept: 'record or cache',
  known: 'user, contact or isKnown',
  left: 'remainder',
  lent: 'shared',
  made: 'the noun of what was made',
  meant: 'intent',
  named: 'name',
  presented: 'session or credential',
  proven: 'proof',
  put: 'a verb and its object',
  refused: 'refusal',
  said: 'message',
  seen: 'visited or isNew',
  sent: 'delivery or message',
  shown: 'visible or text',
  signed: 'signature or signingInput',
  spent: 'isSpent',
  taken: 'isTaken',
  thrown: 'error or cause',
  told: 'report',
  typed: 'input or text',
  vouched: 'assertion',
  wanted: 'request',
  written: 'isWritten',
};

interface Declarations {
  readonly types: readonly BindingIdentifier[];
  readonly functionsAndVariables: readonly BindingIdentifier[];
  /** Functions, variables and parameters, also those of a pattern that have another name than the property. */
  readonly values: readonly BindingIdentifier[];
  /** Methods and fields of classes; `privateName` is that of `#name`. */
  readonly members: readonly { readonly start: number; readonly privateName?: string }[];
}

/** By name and text of the file: parsing is slow, and three gates read the same files. */
const parsed = new Map<string, Declarations>();

function declarationsIn(file: string, text: string): Declarations {
  const key = `${file}\n${text}`;
  const found = parsed.get(key) ?? parse(file, text);
  parsed.set(key, found);
  return found;
}

type Pattern = Exclude<ParamPattern, TSParameterProperty> | BindingPattern | BindingRestElement | null;

/** The names that a pattern declares. A property that is taken under its own name is declared elsewhere. */
function bindingsIn(pattern: Pattern): readonly BindingIdentifier[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return bindingsIn(pattern.left);
    case 'RestElement':
      return bindingsIn(pattern.argument);
    case 'ArrayPattern':
      return pattern.elements.flatMap(bindingsIn);
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        property.type === 'RestElement'
          ? bindingsIn(property.argument)
          : property.shorthand
            ? []
            : bindingsIn(property.value),
      );
    default:
      return [];
  }
}

function parse(file: string, text: string): Declarations {
  const types: BindingIdentifier[] = [];
  const functionsAndVariables: BindingIdentifier[] = [];
  const values: BindingIdentifier[] = [];
  const members: Declarations['members'][number][] = [];
  const addType = ({ id }: { readonly id: BindingIdentifier | null }): void => {
    if (id !== null) types.push(id);
  };
  const add = ({ id }: { readonly id: BindingPattern | null }): void => {
    if (id?.type === 'Identifier') functionsAndVariables.push(id);
    if (id !== null) values.push(...bindingsIn(id));
  };
  const addParameters = ({ params }: { readonly params: readonly ParamPattern[] }): void =>
    params.forEach((pattern) =>
      values.push(...bindingsIn(pattern.type === 'TSParameterProperty' ? pattern.parameter : pattern)),
    );
  const addMember = ({ key, start }: MethodDefinition | PropertyDefinition): void =>
    void members.push({ start, ...(key.type === 'PrivateIdentifier' ? { privateName: key.name } : {}) });
  new Visitor({
    TSTypeAliasDeclaration: addType,
    TSInterfaceDeclaration: addType,
    TSEnumDeclaration: addType,
    ClassDeclaration: addType,
    ClassExpression: addType,
    FunctionDeclaration: (node) => {
      add(node);
      addParameters(node);
    },
    FunctionExpression: addParameters,
    ArrowFunctionExpression: addParameters,
    VariableDeclarator: add,
    MethodDefinition: addMember,
    PropertyDefinition: addMember,
  }).visit(parseSync(file, text).program);
  return { types, functionsAndVariables, values, members };
}

function sourcesIn(root: string, folders: readonly string[]): readonly string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => {
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
    const { types } = declarationsIn(file, text);
    const faults = types
      .filter(({ name }) => isParticiple(name))
      .map(({ name, start }) => [start, `names a type ${name}: use a noun of the field`] as const);
    return { count: types.length, faults };
  });

export const checkValueNames = (root = ROOT): NamesReport =>
  check(
    root,
    (file, text) => {
      const { values } = declarationsIn(file, text);
      const faults = values
        .filter(({ name }) => Object.hasOwn(VALUE_NAMES, name))
        .map(({ name, start }) => [start, `names a value ${name}: write ${VALUE_NAMES[name] ?? ''}`] as const);
      return { count: values.length, faults };
    },
    PRODUCT,
  );

export const checkPrivateMembers = (root = ROOT): NamesReport =>
  check(root, (file, text) => {
    const { members } = declarationsIn(file, text);
    const faults = members.flatMap(({ privateName, start }) =>
      privateName === undefined ? [] : [[start, `declares #${privateName}: use private ${privateName}`] as const],
    );
    return { count: members.length, faults };
  });

/** The words that the glossary of `docs/architecture.md` does not use, from the third column of its table. */
function unusedWords(root: string): readonly string[] {
  const [, glossary = ''] = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('\n## Glossary\n');
  const columns = glossary.split('\n').map((line) => line.split('|')[3] ?? '');
  return columns.flatMap((column) => Array.from(column.matchAll(/`(\w+)`/gu), ([, word = '']) => word));
}

export function checkWords(root = ROOT): NamesReport {
  const unused = unusedWords(root).map((word) => {
    const [first, rest] = [word.charAt(0), word.slice(1)];
    return { word, pattern: new RegExp(`(?:${first}|^${first.toLowerCase()})${rest}(?=s?(?:[^a-z]|$))`, 'u') };
  });
  const problemsOf = (file: string, text: string): FileNames => {
    const { types, functionsAndVariables } = declarationsIn(file, text);
    const names = [...types, ...functionsAndVariables];
    const faults = names.flatMap(({ name, start }) =>
      unused
        .filter(({ pattern }) => pattern.test(name))
        .map(({ word }) => [start, `names something ${name}: the glossary has another word for ${word}`] as const),
    );
    return { count: unused.length === 0 ? 0 : names.length, faults };
  };
  return check(root, problemsOf, PRODUCT);
}
