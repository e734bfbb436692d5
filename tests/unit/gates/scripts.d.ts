/** The types of the plain scripts, as far as TypeScript sources import them. */

declare module '*/scripts/layers.mjs' {
  export function checkLayers(root?: string): { ok: boolean; files: number; problems: string[] };
}

declare module '*/scripts/lock-guard.mjs' {
  export function checkLock(root?: string): { ok: boolean; packages: number; problems: string[] };
}

declare module '*/scripts/lib/gates.mjs' {
  interface Gate {
    readonly name: string;
    check(root?: string): Promise<{ ok: boolean; output: string; note?: string }>;
  }
  export const GATES: Readonly<Record<'lock' | 'layers' | 'types' | 'core' | 'lint' | 'format', Gate>>;
}

declare module '*/scripts/lib/root.mjs' {
  export const ROOT: string;
}

declare module '*/scripts/postgres.mjs' {
  export interface Postgres {
    readonly url: string;
    readonly version: string;
    stop(): Promise<void>;
    crash(): Promise<void>;
    start(): Promise<void>;
  }
  export function hasPrograms(env?: NodeJS.ProcessEnv): boolean;
  export function startPostgres(env?: NodeJS.ProcessEnv): Promise<Postgres | { readonly reason: string }>;
}

declare module '*/scripts/lib/report.mjs' {
  interface Verdict {
    ok: boolean;
    output?: string;
    note?: string;
    passed?: number;
    failed?: number;
    skipped?: number;
  }
  export class Report {
    constructor(say?: (line: string) => void);
    stage(name: string, work: () => Promise<Verdict>): Promise<boolean>;
    heldUp(name: string, by: string): void;
    note(line: string): void;
    close(): number;
  }
}

declare module '*/scripts/lib/steps.mjs' {
  export function ensureBuilt(names: readonly string[], say?: (line: string) => void): Promise<void>;
}

declare module '*/scripts/lib/runners.mjs' {
  interface Counts {
    passed: number;
    failed: number;
    skipped: number;
  }
  export function countVitest(report: object): Counts;
  export function countPlaywright(report: object): Counts;
}

declare module '*/scripts/sizes.mjs' {
  interface Size {
    bytes: number;
    lazy: { name: string; bytes: number; modules: string[] }[];
    modules: string[];
  }
  export function judgeSizes(
    measured: Record<string, Size>,
    budgets: Record<string, { KiB: number; what: string }>,
  ): { passed: number; failed: number; lines: string[] };
  export function sizeSection(
    measured: Record<string, Size>,
    budgets: Record<string, { KiB: number; what: string }>,
  ): string;
  export function saysSizes(text: string, section: string): boolean;
}

declare module '*/scripts/ensure-deps.mjs' {
  interface Machine {
    abi: string;
    platform: string;
    arch: string;
  }
  export function tooOld(version: string): boolean;
  export function stampOf(lockText: string, machine?: Machine): string;
  export function holdsLock(lock: object, installed: object, machine?: Machine): boolean;
}

declare module '*/scripts/ensure-browser.mjs' {
  interface Means {
    find?: (env: Readonly<Record<string, string | undefined>>) => string | null;
    may?: () => boolean;
    install?: (name: string) => string | null;
    engine?: 'chromium' | 'firefox';
  }
  type Env = Readonly<Record<string, string | undefined>>;
  export function ensureBrowser(env?: Env, means?: Means): string;
  interface FirefoxMeans extends Pick<Means, 'may' | 'install'> {
    version?: (path: string) => string;
  }
  export function tryFirefox(env?: Env, means?: FirefoxMeans): { readonly path?: string; readonly reason?: string };
}

declare module '*/scripts/lib/find-browser.mjs' {
  export function findBrowser(
    env?: Readonly<Record<string, string | undefined>>,
    exists?: (path: string) => boolean,
    platform?: string,
  ): string | null;
  export function findEngine(
    engine: 'chromium' | 'firefox',
    env?: Readonly<Record<string, string | undefined>>,
    exists?: (path: string) => boolean,
    platform?: string,
  ): string | null;
  export const BROWSER_ARGS: string[];
}

declare module '*/scripts/lib/net.mjs' {
  export function freePort(): Promise<number>;
  export function listenOnLoopback(
    handler: () => void,
    port: number,
  ): Promise<{ port: number; close: () => Promise<void> }>;
  export function choosePort(wish: {
    name: string;
    named?: number;
    fallback: number;
    avoid?: number[];
    say: (line: string) => void;
  }): Promise<number>;
  export function portFrom(name: string, text: string | undefined): number | undefined;
}

declare module '*/scripts/lib/provider-process.mjs' {
  interface Started {
    readonly url: string;
    readonly publicToken: string;
    readonly projectId: string;
    stop(): Promise<void>;
  }
  export function startProvider(args: readonly string[]): Promise<Started>;
}

declare module '*/scripts/lib/run.mjs' {
  export function stopOnSignal(exitCode: number): void;
}

declare module '*/scripts/serve-demo.mjs' {
  interface Served {
    readonly url: string;
    close(): Promise<void>;
  }
  export function serveDemo(options: { readonly port: number; readonly providerUrl: string }): Promise<Served>;
}

declare module '*/scripts/config-reference.mjs' {
  export function configReference(): string;
  export function describeInterface(
    source: string,
    name: string,
  ): { about: string; rows: { name: string; type: string; doc: string }[] };
}
