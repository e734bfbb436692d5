/**
 * Who may import what: the table of the design, as data.
 *
 * `layers` are folders below src/ (`application/ports` is narrower than `application`); a layer may always import
 * itself. `packages` are package names, a trailing `*` stands for the rest of a name.
 */
interface Layer {
  readonly layers: readonly string[];
  readonly packages: readonly string[];
}

export const LAYERS: Readonly<Record<string, Layer>> = {
  domain: { layers: [], packages: [] },
  application: { layers: ['domain'], packages: ['rxjs', 'jose'] },
  infrastructure: {
    layers: ['domain', 'application/ports', 'application/api'],
    packages: ['ky', 'libphonenumber-js', '@zxcvbn-ts/*', 'rxjs'],
  },
  presentation: { layers: ['domain', 'application'], packages: ['react', 'react-dom', 'rxjs'] },
  composition: {
    layers: ['domain', 'application', 'infrastructure', 'presentation'],
    packages: ['inversify', 'reflect-metadata', 'react', 'react-dom', 'rxjs'],
  },
};

/** What the provider's sources may take from src/; its packages are those of its own package.json, and Node's. */
export const PROVIDER_LAYERS = ['domain', 'application/api'];

/** A host page: the built entries, the framework it chose, and what its test wallet signs with. */
export const DEMO_PACKAGES = ['portico', 'react', 'react-dom', '@noble/*', '@scure/base'];

/** Packages that only some places may import, whatever their layer may. */
interface Confined {
  readonly packages: readonly string[];
  readonly where: RegExp;
  /** Whether `where` may import it with import() alone. */
  readonly lazy?: true;
  readonly why: string;
}

export const CONFINED: readonly Confined[] = [
  {
    packages: ['inversify', 'reflect-metadata'],
    where: /^src\/composition\/lazy\//,
    why: 'only composition/lazy/ imports inversify',
  },
  {
    packages: ['jose'],
    where: /^src\/application\/server\//,
    why: 'only application/server/ checks signatures; no page loads it',
  },
  {
    packages: ['libphonenumber-js', '@zxcvbn-ts/*'],
    where: /^src\/infrastructure\/input\//,
    lazy: true,
    why: 'a heavy package is loaded with import(), in infrastructure/input/ alone',
  },
];

/** The one import of src/ that leaves it: the published contract suites. */
export const CONTRACTS = { from: 'src/composition/testing.ts', to: /^tests\/contract\/.*\.contract\.ts$/ };

/** Names that a browser treats as code or as a ceremony, and where they may stand. */
export const USES: Readonly<Record<string, { readonly where: RegExp; readonly why: string }>> = {
  'navigator.credentials': {
    where: /^src\/infrastructure\/credentials\//,
    why: 'only infrastructure/credentials/ calls it',
  },
};

/** Folders whose index.ts is a public surface; any other index.ts is a barrel. */
export const INDEXES = /^src\/(application\/(ports|api)|(domain|presentation)\/screens|composition)\/index\.ts$/;

/** What Node starts in a thread, from the sources too: it must be able to read it. */
export const THREADS = /^provider\/src\/[\w/-]+-worker\.mjs$/;

export const MAX_LINES = 300;
