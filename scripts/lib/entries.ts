/** The entries of the package, which hosts import. Builds, names and tests are made from this list, or compared with it. */

export interface PackageEntry {
  /** Its module in `src/composition`. */
  readonly source: string;
  /**
   * `page`: shares its files with the others of a page. `server`: is one file. `tool`: is imported in addition to those of a page,
   * and shares no file that would make a page load more.
   */
  readonly runs: 'page' | 'server' | 'tool';
  /** The file of the modules that this entry needs at its start and no earlier entry needs. */
  readonly startFile?: string;
  /** Whether its components run only in the browser, also in a framework that renders on a server. */
  readonly isClient?: true;
  /** The packages that an entry for servers imports. */
  readonly packages?: readonly string[];
}

/** By the name of its file. A module that several entries need at their start is in the file of the first one. */
export const ENTRIES = {
  headless: { source: 'headless.ts', runs: 'page', startFile: 'start' },
  index: { source: 'index.ts', runs: 'page', startFile: 'widget' },
  react: { source: 'react.tsx', runs: 'page', startFile: 'react-bindings', isClient: true },
  'compat/headless': { source: 'compat/headless.ts', runs: 'page', startFile: 'compat-core' },
  'compat/vanilla': { source: 'compat/vanilla.ts', runs: 'page', startFile: 'compat-widget' },
  compat: { source: 'compat/compat.ts', runs: 'page', isClient: true },
  adapters: { source: 'adapters.ts', runs: 'tool' },
  themes: { source: 'themes.ts', runs: 'tool' },
  bound: { source: 'bound.ts', runs: 'tool' },
  prerender: { source: 'prerender.tsx', runs: 'tool' },
  vite: { source: 'vite.ts', runs: 'tool' },
  inspector: { source: 'inspector.ts', runs: 'tool' },
  testing: { source: 'testing.ts', runs: 'tool' },
  'testing/playwright': { source: 'playwright.ts', runs: 'tool' },
  'testing/flows': { source: 'flows.ts', runs: 'tool' },
  server: { source: 'server.ts', runs: 'server', packages: ['jose'] },
  'server/hono': { source: 'server/hono.ts', runs: 'server' },
  'server/express': { source: 'server/express.ts', runs: 'server' },
  'server/mcp': { source: 'server/mcp.ts', runs: 'server', packages: ['jose'] },
  'server/next': {
    source: 'server/next.ts',
    runs: 'server',
    packages: ['next/headers.js', 'next/server.js', 'next/navigation'],
  },
} as const satisfies Readonly<Record<string, PackageEntry>>;

export type EntryName = keyof typeof ENTRIES;

/** A name of package.json's `imports`: its module, of which servers have another one than pages. */
export const CONDITIONAL = {
  name: '#prerendered-login',
  onPage: { file: 'prerender/on-page', source: 'src/composition/prerender/on-page.ts' },
  onServer: { file: 'prerender/on-server', source: 'src/composition/prerender/on-server.tsx' },
} as const;

/** The program of package.json's `bin`. */
export const COMMAND = { file: 'cli', source: 'src/composition/tools/cli.ts' } as const;

/** The same modules as `index` with a renderer inside, from a build for hosts without React. */
const STANDALONE = 'standalone';

/** The entries that one build makes. */
export const ENTRY_NAMES = Object.keys(ENTRIES) as readonly EntryName[];

/** All importable entries. */
export const IMPORTABLE: readonly (EntryName | typeof STANDALONE)[] = [...ENTRY_NAMES, STANDALONE];

export const entryOf = (name: EntryName): PackageEntry => ENTRIES[name];

export const entriesThatRun = (...where: readonly PackageEntry['runs'][]): readonly EntryName[] =>
  ENTRY_NAMES.filter((name) => where.includes(ENTRIES[name].runs));

/** The path of its module in the repository. */
export const sourceOf = (name: EntryName | typeof STANDALONE): string =>
  `src/composition/${ENTRIES[name === STANDALONE ? 'index' : name].source}`;

/** The import specifier: `portico/server/hono`. */
export const importNameOf = (name: EntryName | typeof STANDALONE): string =>
  name === 'index' ? 'portico' : `portico/${name}`;
