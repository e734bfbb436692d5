/**
 * Which file of a build a module goes into: one for the start, one for the login, and one for each thing that few pages
 * need. No list of modules is kept: a file holds what its import() targets reach and what no earlier file holds.
 */
import { build, mergeConfig, type InlineConfig, type Plugin, type Rolldown } from 'vite';

/** What the target of an import() is for. A target that no rule names belongs to the login. */
const MEANINGS: readonly (readonly [name: string, path: RegExp])[] = [
  ['language-$1', /\/messages\/locales\/(\w+)\.ts$/],
  ['language-account-$1', /\/messages\/account\/(\w+)\.ts$/],
  ['phone-data', /\/libphonenumber-js\//],
  ['strength', /\/@zxcvbn-ts\/|\/infrastructure\/input\/common-passwords\.ts$/],
  ['passwords', /\/parts\/passwords\/|\/input\/zxcvbn\.ts$/],
  ['phones', /\/parts\/phones\/|\/input\/lib-phone\.ts$/],
  ['passkeys', /\/parts\/passkeys\/|\/effects\/passkey-registration\.ts$|\/credentials\/browser-webauthn\.ts$/],
  ['wallets', /\/parts\/wallets\/|\/credentials\/injected-wallets\.ts$/],
  ['qr-code', /\/parts\/account\/QrCode\.tsx$/],
  ['account', /\/parts\/account\//],
  ['account-changes', /\/effects\/account\.ts$/],
  ['user-button', /\/parts\/user-button\//],
  ['consent', /\/parts\/consent\/|\/effects\/consent\.ts$/],
];
const LOGIN = 'login';

function meaningOf(target: string): string {
  for (const [name, path] of MEANINGS) {
    const match = path.exec(target);
    if (match !== null) return name.replace('$1', match[1] ?? '');
  }
  return LOGIN;
}

type Output = readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[];

/** Which modules are loaded with which, after tree-shaking: read from a build that the bundler splits by itself. */
export class ModuleGraph {
  readonly #chunks: ReadonlyMap<string, Rolldown.OutputChunk>;
  readonly #entries: ReadonlyMap<string, Rolldown.OutputChunk>;
  readonly #targets: readonly (readonly [meaning: string, loaded: ReadonlySet<string>])[];

  private constructor(output: Output) {
    const chunks = output.filter((file) => file.type === 'chunk');
    this.#chunks = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
    this.#entries = new Map(chunks.filter(({ isEntry }) => isEntry).map((chunk) => [chunk.name, chunk]));
    this.#targets = chunks
      .filter(({ isDynamicEntry }) => isDynamicEntry)
      .map((chunk) => [meaningOf(chunk.facadeModuleId ?? ''), this.#loadedWith(chunk)]);
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

  #loadedWith(start: Rolldown.OutputChunk, lazily = false): ReadonlySet<string> {
    const chunks = new Set([start]);
    for (const { imports, dynamicImports } of chunks) {
      for (const name of lazily ? [...imports, ...dynamicImports] : imports) {
        const next = this.#chunks.get(name);
        if (next !== undefined) chunks.add(next);
      }
    }
    return new Set([...chunks].flatMap(({ moduleIds }) => moduleIds));
  }

  isEntry(id: string): boolean {
    return [...this.#entries.values()].some(({ facadeModuleId }) => facadeModuleId === id);
  }

  /** Whether the module is loaded with the entry; with `lazily` also when an import() of it loads the module. */
  isLoadedWith(entry: string, id: string, lazily = false): boolean {
    const chunk = this.#entries.get(entry);
    return chunk !== undefined && this.#loadedWith(chunk, lazily).has(id);
  }

  /** What a module is for that no page needs at its start; null when no import() loads it. */
  meaningOf(id: string): string | null {
    const meanings = new Set(this.#targets.filter(([, loaded]) => loaded.has(id)).map(([meaning]) => meaning));
    const [only] = meanings;
    return meanings.size > 1 ? LOGIN : (only ?? null);
  }
}

/** The file of a module; null leaves it to the bundler. */
export type FileOf = (id: string, graph: ModuleGraph) => string | null;

/** Everything that the page needs at its start is one file, which the script-tag build takes as its script. */
export const standaloneFile: FileOf = (id, graph) =>
  graph.isLoadedWith('standalone', id) ? 'start' : graph.meaningOf(id);

/** What several entries share at their start, by the first of these that needs it. */
const STARTS: readonly (readonly [entry: string, file: string])[] = [
  ['headless', 'start'],
  ['index', 'widget'],
  ['react', 'react-bindings'],
  ['compat/headless', 'compat-core'],
  ['compat/vanilla', 'compat-widget'],
];

/** What a client without a widget loads of a file whose rest is screens. */
const WITHOUT_SCREENS: Readonly<Record<string, string>> = { passkeys: 'webauthn', wallets: 'wallet-providers' };

/** A client without a widget must not load screens, nor an import of an error class the client. */
export const entryFile: FileOf = (id, graph) => {
  const withoutWidget = ['headless', 'compat/headless'].some((entry) => graph.isLoadedWith(entry, id, true));
  const start = STARTS.find(([entry]) => graph.isLoadedWith(entry, id))?.[1];
  if (start !== undefined) return withoutWidget && id.includes('/src/domain/') ? 'common' : start;
  const meaning = graph.meaningOf(id);
  if (withoutWidget) return WITHOUT_SCREENS[meaning ?? ''] ?? meaning;
  return meaning === LOGIN ? 'screens' : meaning;
};

/**
 * Gives the entry at the path copies of the modules that it shares with no other. A file that the adapters shared with the
 * login would be one more request of every page, and an import of an adapter from the login's file would load the login.
 *
 * @param copy what marks the copies' names, as the query of an import does
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

/** An entry stays a file that exports what it always did. */
export function chunksBy(fileOf: FileOf, graph: ModuleGraph): Rolldown.CodeSplittingOptions {
  return {
    includeDependenciesRecursively: false,
    groups: [{ debugName: 'meaning', name: (id) => (graph.isEntry(id) ? null : fileOf(id, graph)) }],
  };
}
