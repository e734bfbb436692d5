/**
 * Decides into which file of a build a module goes: one for the start, one for the login, and one for each feature that few
 * pages need. There is no list of modules: a file contains the modules that its import() targets load and no other file has.
 */
import { join } from 'node:path';
import { build, mergeConfig, type InlineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { COMMAND, ENTRY_NAMES, entryOf, type EntryName } from '../lib/entries.ts';
import { ROOT } from '../lib/root.mjs';

/** The code of a stored session, what wires it, and the mark of the copies that it has. */
const SESSION = 'session';
const SESSION_WIRING = 'src/composition/wire-session.ts';
const OF_SESSION = '?session';

/** The feature that a target of an import() belongs to: its file. A target without a rule belongs to the login. */
const MEANINGS: readonly (readonly [name: string, path: RegExp])[] = [
  ['language-$1', /\/messages\/(\w+)\/login\.ts$/],
  ['language-account-$1', /\/messages\/(\w+)\/account\.ts$/],
  ['language-factors-$1', /\/messages\/(\w+)\/factors\.ts$/],
  ['phone-data', /\/libphonenumber-js\//],
  ['strength', /\/@zxcvbn-ts\/|\/infrastructure\/input\/common-passwords\.ts$/],
  ['mails', /\/parts\/mails\//],
  ['marks', /\/parts\/marks\//],
  ['passphrase-words', /\/parts\/passwords\/passphrase-words\.ts$/],
  ['passwords', /\/parts\/passwords\/|\/input\/zxcvbn\.ts$/],
  ['phones', /\/parts\/phones\/|\/input\/lib-phone\.ts$/],
  ['passkey-sign-up', /\/passkeys\/(?:passkey-sign-up\.ts|PasskeySignUp\.tsx)$/],
  [
    'passkeys',
    /\/parts\/passkeys\/|\/effects\/passkeys\/passkey-(?:registration|offer)\.ts$|\/passkeys\/(?:browser-webauthn|passkey-(?:changes|creation|extensions|reports))\.ts$/,
  ],
  ['silent-passkeys', /\/passkeys\/silent-creation\.ts$/],
  ['wallets', /\/parts\/wallets\/|\/wallets\/injected-wallets\.ts$/],
  ['qr-code', /\/components\/QrCode\.tsx$/],
  ['account', /\/parts\/account\//],
  ['account-changes', /\/effects\/account\/account\.ts$/],
  ['second-factor', /\/parts\/factors\/|\/effects\/sessions\/second-factor\.ts$|\/session\/login-binding\.ts$/],
  ['user-button', /\/parts\/user-button\//],
  ['themes', /\/theme\/presets\//],
  ['third-party-scripts', /\/lazy\/third-party-scripts\.ts$/],
  [SESSION, /\/composition\/wire-session\.ts$/],
  ['adoption', /\/lazy\/adoption\.ts$/],
  ['unreachable', /\/explain-(?:failure|token|options|preset)\.ts$|\/widget\/meant-name\.ts$/],
  ['consent', /\/parts\/consent\/|\/effects\/consent\/consent\.ts$|\/use-cases\/consent\/authorize\.ts$/],
];
const LOGIN = 'login';
/**
 * Modules that several of the features after a login share. No login shows these features, so it must not load their modules. What
 * they share with passkeys, whose list is on the account page, is in the file of these.
 */
const FEATURES = 'features';
const PASSKEYS = 'passkeys';
const WITH_PASSKEYS = 'features and passkeys';
const AFTER_LOGIN: ReadonlySet<string> = new Set([
  'account',
  'account-changes',
  'consent',
  'second-factor',
  'silent-passkeys',
  'user-button',
]);

function meaningOf(target: string): string {
  for (const [name, path] of MEANINGS) {
    const match = path.exec(target);
    if (match !== null) return name.replace('$1', match[1] ?? '');
  }
  return LOGIN;
}

type Output = readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[];

/** Determines the modules that are loaded together after tree-shaking. It is read from a build that the bundler splits by itself. */
export class ModuleGraph {
  private readonly chunks: ReadonlyMap<string, Rolldown.OutputChunk>;
  private readonly entries: ReadonlyMap<string, Rolldown.OutputChunk>;
  private readonly targets: readonly (readonly [meaning: string, loaded: ReadonlySet<string>])[];

  private constructor(output: Output) {
    const chunks = output.filter((file) => file.type === 'chunk');
    this.chunks = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
    this.entries = new Map(chunks.filter(({ isEntry }) => isEntry).map((chunk) => [chunk.name, chunk]));
    this.targets = chunks
      .filter(({ isDynamicEntry }) => isDynamicEntry)
      .map((chunk) => [meaningOf(chunk.facadeModuleId ?? ''), this.loadedWith(chunk)]);
  }

  static async of(config: InlineConfig): Promise<ModuleGraph> {
    const draft: InlineConfig = {
      configFile: false,
      build: {
        write: false,
        minify: false,
        sourcemap: false,
        rolldownOptions: { experimental: { chunkOptimization: false } },
      },
    };
    const [built] = (await build(mergeConfig(config, draft))) as Rolldown.RolldownOutput[];
    return new ModuleGraph(built?.output ?? []);
  }

  private loadedWith(start: Rolldown.OutputChunk, lazily = false): ReadonlySet<string> {
    const chunks = new Set([start]);
    for (const { imports, dynamicImports } of chunks) {
      for (const name of lazily ? [...imports, ...dynamicImports] : imports) {
        const next = this.chunks.get(name);
        if (next !== undefined) chunks.add(next);
      }
    }
    return new Set([...chunks].flatMap(({ moduleIds }) => moduleIds));
  }

  isEntry(id: string): boolean {
    return [...this.entries.values()].some(({ facadeModuleId }) => facadeModuleId === id);
  }

  /** Whether the module is loaded with the entry; with `lazily` also when an import() of it loads the module. */
  isLoadedWith(entry: string, id: string, lazily = false): boolean {
    const chunk = this.entries.get(entry);
    return chunk !== undefined && this.loadedWith(chunk, lazily).has(id);
  }

  /**
   * The feature that a module belongs to; null when no import() loads it. A module that the login shares is in the login; modules for
   * both files of one language are in its first, so that a language never waits for the login.
   */
  meaningOf(id: string): string | null {
    const meanings = new Set(
      this.targets
        .filter(([, loaded]) => loaded.has(id))
        .map(([meaning]) => meaning)
        .map((meaning, _, { length }) => (length > 1 ? meaning.replace('language-account-', 'language-') : meaning)),
    );
    const [only] = meanings;
    if (meanings.size < 2) return only ?? null;
    const others = [...meanings].filter((meaning) => !AFTER_LOGIN.has(meaning));
    if (others.length === 0) return FEATURES;
    return others.every((meaning) => meaning === PASSKEYS) ? WITH_PASSKEYS : LOGIN;
  }
}

/** The file of a module; null leaves it to the bundler. */
type FileOf = (id: string, graph: ModuleGraph) => string | null;

const fileWithScreens = (meaning: string | null): string | null => (meaning === WITH_PASSKEYS ? PASSKEYS : meaning);

/** The modules that the page needs at its start are one file, which the script-tag build uses as its script. */
export const standaloneFile: FileOf = (id, graph) => {
  if (id.endsWith(OF_SESSION)) return SESSION;
  return graph.isLoadedWith('standalone', id) ? 'start' : fileWithScreens(graph.meaningOf(id));
};

/** The file of a module that entries need at their start, decided by the first of these entries that needs it. */
const STARTS: readonly (readonly [entry: string, file: string])[] = ENTRY_NAMES.flatMap((name) => {
  const { startFile } = entryOf(name);
  return startFile === undefined ? [] : [[name, startFile] as const];
});

/** Features whose modules a client without a widget also loads: these get a separate file, without the screens. */
const WITHOUT_SCREENS: Readonly<Record<string, string>> = {
  passkeys: 'webauthn',
  wallets: 'wallet-providers',
  consent: 'authorization',
  'second-factor': 'login-binding',
  [FEATURES]: LOGIN,
  [WITH_PASSKEYS]: LOGIN,
};

/** What hosts import and no page needs at its start has a file of its own: a bundler leaves it out of the start, because the entry only exports it. */
const ONLY_EXPORTED = /\/domain\/consent\/(oauth-params)\.ts$/;

/** A client without a widget loads no screens, and an import of an error class loads no client. */
export const entryFile: FileOf = (id, graph) => {
  if (id.endsWith(OF_SESSION)) return SESSION;
  const [, exported] = ONLY_EXPORTED.exec(id) ?? [];
  if (exported !== undefined) return exported;
  const withoutWidget = ['headless', 'compat/headless'].some((entry) => graph.isLoadedWith(entry, id, true));
  const start = STARTS.find(([entry]) => graph.isLoadedWith(entry, id))?.[1];
  if (start !== undefined) return withoutWidget && id.includes('/src/domain/') ? 'common' : start;
  const meaning = graph.meaningOf(id);
  // What hosts import of it, too, such as a lock, is theirs: the session has a copy.
  if (meaning === SESSION && !id.endsWith(SESSION_WIRING)) return null;
  if (withoutWidget) return WITHOUT_SCREENS[meaning ?? ''] ?? meaning;
  return meaning === LOGIN ? 'screens' : fileWithScreens(meaning);
};

/**
 * Gives the entry at the path copies of the modules that it shares with no other. A file that the adapters shared with the
 * login would be one more request of every page, and an import of an adapter from the login's file would load the login.
 *
 * @param copy the query that is appended to the ids of the copies
 */
export const withCopies = (entry: string, copy: `?${string}`, isShared: (id: string) => boolean): Plugin => ({
  name: `with-copies${copy}`,
  enforce: 'pre',
  async resolveId(source, importer = '', { kind }) {
    const isCopied = importer.endsWith(copy);
    if (kind !== 'import-statement' || !(isCopied || importer === entry)) return null;
    const found = await this.resolve(source, isCopied ? importer.slice(0, -copy.length) : importer, { skipSelf: true });
    if (found === null || found.external !== false || isShared(found.id)) return found;
    return { ...found, id: found.id + copy };
  },
});

/**
 * The part of a build's configuration by which its files follow the graph of its modules. An entry keeps a separate file, with its own
 * exports. A stored session has its own copies of the few modules that it shares with the login, because a page that only keeps a
 * session would load the whole login for them. So has the command, which apps without React run, too.
 *
 * @param start an entry whose modules the page has loaded before any others
 */
export function filesBy(fileOf: FileOf, graph: ModuleGraph, start: EntryName | 'standalone'): UserConfig {
  const codeSplitting = {
    includeDependenciesRecursively: false,
    groups: [{ debugName: 'meaning', name: (id: string) => (graph.isEntry(id) ? null : fileOf(id, graph)) }],
  };
  return {
    plugins: [
      withCopies(join(ROOT, SESSION_WIRING), OF_SESSION, (id) => graph.isLoadedWith(start, id)),
      withCopies(join(ROOT, COMMAND.source), '?command', () => false),
    ],
    build: { rolldownOptions: { output: { codeSplitting } } },
  };
}
