/** The API reference: a page for each entry of the package, made from its type declarations. */
import { readFileSync } from 'node:fs';
import { shownSource, sourceUrl } from '../make/links.ts';
import { clientMethods, isClientMethods, type MethodGroup } from './client-methods.ts';
import { describe, type DeclarationDescription, type Kind } from './describe.ts';
import { parseDocstring } from './docstring.ts';
import { keyOf, ownersOf, readEntries, type Entry } from './entries.ts';
import { Modules, type DeclarationPlace } from './modules.ts';

/** The URL of each declaration in the site, by name. */
export type Links = Readonly<Record<string, string>>;

export interface Reference {
  readonly pages: readonly { readonly slug: string; readonly label: string; readonly markdown: string }[];
  /** The links in each signature, by the key in its fence. */
  readonly links: Readonly<Record<string, Links>>;
  /** The URL of each name: first those of the entries, then of the compatibility entries, then of types without an export. */
  readonly exported: Links;
  /** The exports without a docstring. The tests require that there are none. */
  readonly undocumented: readonly string[];
}

interface Item extends DeclarationDescription {
  readonly name: string;
  /** Its anchor in the page. */
  readonly anchor: string;
  readonly place: DeclarationPlace;
}

/** The page of the types that signatures name and that no entry exports. */
const INNER = 'inner-types';
/** The page of the client's methods. */
const CLIENT = 'client';

const GROUPS: readonly (readonly [title: string, kinds: readonly Kind[]])[] = [
  ['Classes', ['class']],
  ['Functions', ['function']],
  ['Constants', ['constant', 'enum']],
  ['Types', ['interface', 'type']],
];

export function apiReference(): Reference {
  const modules = new Modules();
  const entries = readEntries(modules);
  const owners = ownersOf(entries);
  const items = new Map<string, Item>();
  const add = (place: DeclarationPlace, name: string, anchor = name): Item => {
    const described = describe(modules, place);
    // Under its exported name.
    const signature = described.signature.replaceAll(new RegExp(String.raw`\b${place.name}\b`, 'gu'), name);
    const item = { ...described, signature, name, anchor, place };
    items.set(keyOf(place), item);
    return item;
  };
  for (const [key, { entry, name }] of owners) add(entry.exports.get(name) ?? fail(key), name);
  const methods = clientMethods(modules);
  const called = methods.flatMap((group) => group.methods.flatMap(({ names }) => [...names.values()]));
  const inner = innerTypes(modules, items, called, add);

  const addresses = new Map<string, string>();
  for (const [key, { entry, name }] of owners) addresses.set(key, `/api/${entry.slug}#${name}`);
  for (const { place, anchor } of inner) addresses.set(keyOf(place), `/api/${INNER}#${anchor}`);

  const links: Record<string, Links> = {};
  const show = (slug: string, item: Item): string => {
    const key = `${slug}-${item.anchor}`;
    links[key] = linksOf(item.names);
    return itemMarkdown(item, key);
  };
  const linksOf = (names: ReadonlyMap<string, DeclarationPlace>): Links =>
    Object.fromEntries(
      Array.from(names, ([name, place]) => [
        name,
        isClientMethods(place) ? `/api/${CLIENT}` : (addresses.get(keyOf(place)) ?? ''),
      ]).filter(([, to]) => to !== ''),
    );
  const own = (entry: Entry): readonly Item[] =>
    [...new Set(Array.from(entry.exports.values(), keyOf))].flatMap((key) => {
      const item = items.get(key);
      return item && owners.get(key)?.entry === entry ? [item] : [];
    });
  const pages = entries.map((entry) => {
    // Exports of other entries, and aliases.
    const passedOn = [...entry.exports].filter(([name, place]) => {
      const owner = owners.get(keyOf(place));
      return owner?.entry !== entry || owner.name !== name;
    });
    return {
      slug: entry.slug,
      label: entry.name,
      markdown: [
        `# ${entry.name}`,
        aboutOf(entry),
        importSample(entry, own(entry)),
        ...groupsMarkdown(own(entry), (item) => show(entry.slug, item)),
        passedOnMarkdown(passedOn.map(([name, place]) => [name, addresses.get(keyOf(place)) ?? ''])),
      ].join('\n\n'),
    };
  });
  const innerPage = {
    slug: INNER,
    label: 'Other types',
    markdown: [
      '# Types without an export',
      'Signatures name these types, and no entry exports them by name: use them as parts of the types that name them.',
      ...groupsMarkdown(inner, (item) => show(INNER, item)),
    ].join('\n\n'),
  };
  for (const { path, names } of methods.flatMap((group) => group.methods)) links[`${CLIENT}-${path}`] = linksOf(names);
  const client = { slug: CLIENT, label: 'Methods of the client', markdown: clientMarkdown(methods) };
  const named = [...owners.values()].map(({ entry, name }) => [name, `/api/${entry.slug}#${name}`] as const);
  const undocumented = [...owners].flatMap(([key, { entry, name }]) =>
    items.get(key)?.docs.text === '' && !isToldByName(items.get(key))
      ? [`${entry.name}: ${name} of ${items.get(key)?.source.path}`]
      : [],
  );
  const isCompat = ([, address]: readonly [string, string]): boolean => address.startsWith('/api/compat');
  const exported = Object.fromEntries([
    ...inner.map(({ name, place }) => [name, addresses.get(keyOf(place)) ?? '']),
    ...named.filter(isCompat),
    ...named.filter((one) => !isCompat(one)),
  ]);
  return { pages: [overview(entries, own), client, ...pages, innerPage], links, exported, undocumented };
}

function fail(what: string): never {
  throw new Error(`${what} is missing.`);
}

/** The types in the described signatures that no entry exports, and the types in their signatures. */
function innerTypes(
  modules: Modules,
  items: ReadonlyMap<string, Item>,
  named: readonly DeclarationPlace[],
  add: (place: DeclarationPlace, name: string, anchor: string) => Item,
): readonly Item[] {
  const found: Item[] = [];
  const waiting: (readonly DeclarationPlace[])[] = [
    named,
    ...Array.from(items.values(), ({ names }) => [...names.values()]),
  ];
  for (let places = waiting.pop(); places; places = waiting.pop()) {
    for (const place of places) {
      if (items.has(keyOf(place)) || isClientMethods(place) || !isShown(modules, place)) continue;
      const namesakes = found.filter(({ name }) => name === place.name).length;
      const next = add(place, place.name, namesakes > 0 ? `${place.name}-${namesakes + 1}` : place.name);
      found.push(next);
      waiting.push([...next.names.values()]);
    }
  }
  return found.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** Interfaces and types of the client and of the server parts: types of the compatibility entries are described by their names. */
function isShown(modules: Modules, { file, name }: DeclarationPlace): boolean {
  if (file.includes('/composition/compat/')) return false;
  const { source, declared } = modules.module(file);
  return (declared.get(name) ?? []).some(({ start, end }) =>
    /^(?:export )?(?:declare )?(?:interface|type|enum)\b/u.test(source.slice(start, end)),
  );
}

/**
 * The compatibility entries have the reference client's own names for our types and for errors of native devices. Their names and
 * definitions need no description.
 */
const isToldByName = (item: Item | undefined): boolean =>
  item?.source.path.startsWith('src/composition/compat/') === true &&
  (item.kind === 'type' || item.kind === 'interface' || item.source.path.endsWith('native-errors.ts'));

/** The first comment of an entry's module describes the entry. */
function aboutOf(entry: Entry): string {
  const comment = /^\s*\/\*(?<text>\*[\s\S]*?)\*\//u.exec(readFileSync(entry.file, 'utf8'))?.groups?.['text'];
  const { text } = parseDocstring(comment ?? '*');
  return text.replace(/^`portico[^:]*:\s*/u, '').replace(/^./u, (letter) => letter.toUpperCase());
}

/** Type-only exports of classes are described as classes, too. */
const isValue = ({ name, place }: Item): boolean => name === place.name;

const importSample = ({ name }: Entry, own: readonly Item[]): string => {
  const kinds: readonly Kind[] = ['class', 'function', 'constant'];
  const value = kinds.flatMap((kind) => own.filter((one) => one.kind === kind && isValue(one)))[0] ?? own[0];
  if (value === undefined) return '';
  const isType = value.kind === 'interface' || value.kind === 'type';
  return `\`\`\`ts\nimport ${isType ? 'type ' : ''}{ ${value.name} } from '${name}';\n\`\`\``;
};

const groupsMarkdown = (items: readonly Item[], show: (item: Item) => string): readonly string[] =>
  GROUPS.flatMap(([title, kinds]) => {
    const group = items.filter(({ kind }) => kinds.includes(kind));
    return group.length === 0 ? [] : [`## ${title}`, ...group.map(show)];
  });

function itemMarkdown({ name, anchor, kind, docs, signature, members, source }: Item, key: string): string {
  const tags = (tag: string) => docs.tags.filter((one) => one.tag === tag).map(({ text }) => text);
  const parameters = tags('param').map((text) => {
    const { parameter = '', words = '' } = /^(?<parameter>[\w.]+)\s*(?:-\s*)?(?<words>.*)$/u.exec(text)?.groups ?? {};
    return `| \`${parameter}\` | ${cell(words)} |`;
  });
  const throws = tags('throws').map((text) => text.replace(/^\{(?<type>[^}]*)\}/u, '`$<type>`'));
  return [
    `### ${name} {#${anchor}}`,
    `<p class="api-meta"><span>${kind}</span><a href="${shownSource(sourceUrl(source.path)) ?? ''}" target="_self">${source.path}, line ${source.line}</a></p>`,
    escaped(docs.text),
    `\`\`\`ts api=${key}\n${signature}\n\`\`\``,
    parameters.length > 0 ? `| parameter | what it is |\n|---|---|\n${parameters.join('\n')}` : '',
    ...tags('returns').map((text) => `**Returns** ${escaped(text)}`),
    ...throws.map((text) => `**Throws** ${escaped(text)}`),
    members.length > 0 ? membersMarkdown(members) : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function clientMarkdown(groups: readonly MethodGroup[]): string {
  const parts = groups.flatMap(({ name, docs, methods }) => [
    `## client.${name} {#${name}}`,
    escaped(docs.text),
    ...methods.flatMap(({ path, others, docs: about, signature }) => [
      `### ${path} {#${path.replaceAll('.', '-')}}`,
      escaped(about.text),
      `\`\`\`ts api=${CLIENT}-${path}\n${signature}\n\`\`\``,
      others.length > 0 ? `The same: ${others.map((one) => `\`${one}\``).join(', ')}.` : '',
    ]),
  ]);
  return [
    '# Methods of the client',
    'What a `PorticoClient` and a `PorticoUIClient` can be asked for over the wire. The code behind these methods loads with the first call. The session, the user and the permissions that the client holds are described with [`SessionClient`](/api/headless#SessionClient), [`UserClient`](/api/headless#UserClient) and [`RBACClient`](/api/headless#RBACClient).',
    ...parts,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function membersMarkdown(members: Item['members']): string {
  const rows = members.map(({ name, docs }) => {
    const more = docs.tags.map(({ tag, text }) => (tag === 'param' ? text : `*${tag}* ${text}`));
    return `| \`${name}\` | ${cell([docs.text, ...more].filter(Boolean).join(' · '))} |`;
  });
  return `| member | what it is |\n|---|---|\n${rows.join('\n')}`;
}

/** Angle brackets outside of code are text, not elements. */
const escaped = (text: string): string =>
  text.replaceAll(/`[^`]*`|[<>]/gu, (part) => (part === '<' ? '&lt;' : part === '>' ? '&gt;' : part));

const cell = (text: string): string => escaped(text).replaceAll('|', '\\|').replaceAll(/\s+/gu, ' ');

function passedOnMarkdown(names: readonly (readonly [name: string, link: string])[]): string {
  if (names.length === 0) return '';
  const links = names.map(([name, link]) => (link === '' ? `\`${name}\`` : `[\`${name}\`](${link})`));
  return `## Also exported\n\nThese are described where they come from, some of them by another name.\n\n${links.join(' · ')}`;
}

function overview(entries: readonly Entry[], own: (entry: Entry) => readonly Item[]): Reference['pages'][number] {
  const parts = entries.map((entry) => {
    const names = own(entry).map(({ name }) => `[\`${name}\`](/api/${entry.slug}#${name})`);
    return `## ${entry.name}\n\n${aboutOf(entry)} [Open the page](/api/${entry.slug}).\n\n<div class="api-names">\n\n${names.join(' ')}\n\n</div>`;
  });
  return {
    slug: 'index',
    label: 'All entries',
    markdown: `# API reference\n\nEvery export of every entry of the package, made from its type declarations.\n\n${parts.join('\n\n')}`,
  };
}
