import { describe, expect, it } from 'vitest';
import { GATES } from '#scripts/lib/gates.ts';
import { PRODUCT } from '#scripts/lib/product.ts';
import { folderWith } from './folder.ts';

const FOLDERS = [...PRODUCT, 'provider/tests', 'scripts', 'demo', 'site', 'bench', 'tests'];

/** A repository with this text in a file of one of the folders. */
const repositoryWith = (text: string, folder = 'src', name = 'one.ts'): string =>
  folderWith({
    ...Object.fromEntries(FOLDERS.map((each) => [`${each}/empty.ts`, ''])),
    [`${folder}/${name}`]: text,
  });

describe('the gate of type names', () => {
  it.each([
    ['a type', 'export type Asked = string;', 'Asked'],
    ['an interface', 'interface Redeeming<R> { readonly r: R }', 'Redeeming'],
    ['a class', 'export class Draining {}', 'Draining'],
    ['a class expression', 'export const made = class Held {};', 'Held'],
    ['an enum', 'export enum Known { yes }', 'Known'],
    ['a type inside a function', 'function f() { type Sent = string; return null as Sent | null; }', 'Sent'],
  ])('names %s', async (_, text, name) => {
    const { ok, output } = await GATES.typeNames.check(repositoryWith(text));
    expect(ok).toBe(false);
    expect(output).toBe(`src/one.ts:1 names a type ${name}: use a noun of the field`);
  });

  it.each(FOLDERS)('reads %s', async (folder) => {
    const { ok, output } = await GATES.typeNames.check(repositoryWith('\ntype Told = string;', folder, 'two.tsx'));
    expect(ok).toBe(false);
    expect(output).toContain(`${folder}/two.tsx:2 names a type Told`);
  });

  it('accepts nouns that end like a participle, and participles before a noun', async () => {
    const nouns = ['Setting', 'Feed', 'Wording', 'SentPasscode', 'ListeningServer', 'StoredUser'];
    const root = repositoryWith(nouns.map((name) => `export type ${name} = string;`).join('\n'));
    expect(await GATES.typeNames.check(root)).toMatchObject({ ok: true, output: '' });
  });

  it('fails where it finds no type at all', async () => {
    expect(await GATES.typeNames.check(repositoryWith(''))).toMatchObject({ ok: false });
  });
});

describe('the gate of names of values', () => {
  it.each([
    ['a variable', 'const asked = 1;', 'asked', 'request'],
    ['a function', 'export function told() {}', 'told', 'report'],
    ['a parameter', 'const f = (kept: string) => kept;', 'kept', 'record or cache'],
    ['a parameter with a default', 'class One { f(said = 1) {} }', 'said', 'message'],
    ['a private member', 'class One { constructor(private readonly sent: string) {} }', 'sent', 'delivery or message'],
    ['a property under another name', 'const f = ({ a: [{ b: gone }] }: any) => gone;', 'gone', 'isGone'],
  ])('names %s', async (_, text, name, better) => {
    const { ok, output } = await GATES.valueNames.check(repositoryWith(text));
    expect(ok).toBe(false);
    expect(output).toBe(`src/one.ts:1 names a value ${name}: write ${better}`);
  });

  it('accepts members of types, which may be of the wire, and what is taken under their names', async () => {
    const text =
      'interface Row { readonly sent: number } const f = ({ sent }: Row) => sent; const isSent = f({ sent: 1 });';
    expect(await GATES.valueNames.check(repositoryWith(text))).toMatchObject({ ok: true, output: '' });
  });

  it('reads the product alone', async () => {
    const root = repositoryWith('const told = 1;', 'tests');
    expect((await GATES.valueNames.check(root)).output).toBe('');
  });
});

describe('the gate of private members', () => {
  it.each([
    ['a field', 'class One { readonly #at = 0; }', 'at'],
    ['a method', 'class One { async #send() {} }', 'send'],
    ['an accessor', 'export const One = class { get #size() { return 1; } };', 'size'],
  ])('names %s with #', async (_, text, name) => {
    const { ok, output } = await GATES.privateMembers.check(repositoryWith(text));
    expect(ok).toBe(false);
    expect(output).toBe(`src/one.ts:1 declares #${name}: use private ${name}`);
  });

  it('accepts private fields, methods and parameters', async () => {
    const text = 'export class One { private at = 0; constructor(private readonly from: string) {} private send() {} }';
    expect(await GATES.privateMembers.check(repositoryWith(text))).toMatchObject({ ok: true, output: '' });
  });
});

describe('the gate of words', () => {
  const glossary =
    '\n## Glossary\n\n| word | is | not |\n|---|---|---|\n| phone number | a number | `Telephone`, `Pin` |\n';
  const withGlossary = (text: string, file = 'src/a/two.ts'): string =>
    folderWith({ 'src/one.ts': '', 'provider/src/one.ts': '', 'docs/architecture.md': glossary, [file]: text });

  it.each([
    ['type TelephoneNumber = string;', 'TelephoneNumber', 'Telephone'],
    ['function newTelephone() {}', 'newTelephone', 'Telephone'],
    ['const telephones = [];', 'telephones', 'Telephone'],
    ['class NewPin {}', 'NewPin', 'Pin'],
  ])('names the declaration in `%s`', async (text, name, word) => {
    const fault = `names something ${name}: the glossary has another word for ${word}`;
    expect(await GATES.words.check(withGlossary(text))).toMatchObject({ ok: false, output: `src/a/two.ts:1 ${fault}` });
    const { output } = await GATES.words.check(withGlossary(text, 'provider/src/two.ts'));
    expect(output).toBe(`provider/src/two.ts:1 ${fault}`);
  });

  it('accepts other words that begin alike', async () => {
    expect(await GATES.words.check(withGlossary('const pinned = 1; type Pinning1 = 1;'))).toMatchObject({ ok: true });
  });

  it('fails where there is no glossary', async () => {
    const root = folderWith({ 'src/one.ts': 'const a = 1;', 'provider/src/one.ts': '', 'docs/architecture.md': '# A' });
    expect(await GATES.words.check(root)).toMatchObject({ ok: false });
  });
});
