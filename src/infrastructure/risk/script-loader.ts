import type { ClockPort } from '#application/ports/index.ts';
import { pageShared } from '../browser/page-shared.ts';

/** A script that has not run after this time, in milliseconds, counts as failed. */
const PATIENCE_MS = 5_000;

/**
 * The origins from which scripts may be loaded. `cors` loads without cookies and makes error messages readable, but needs an
 * origin that sends `Access-Control-Allow-Origin`; Google's do not.
 */
export type ScriptOrigins = Readonly<Record<string, 'cors' | 'no-cors'>>;

interface Policy {
  createScriptURL(url: string): unknown;
}

/** The window, with Trusted Types if the browser has them (W3C Trusted Types, section 2.3). */
type Page = Window & {
  readonly trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy };
};

interface Scripts {
  /** Loading and loaded scripts by URL, without those that failed. */
  readonly loads: Map<string, Promise<void>>;
  /** The host's own script elements that have failed. */
  readonly dead: WeakSet<HTMLScriptElement>;
  readonly origins: Set<string>;
  policy: Policy | null;
}

/** Loads scripts from a few known origins, each once per page, through a single Trusted Types policy named `portico`. */
export class ScriptLoader {
  private readonly scripts: Scripts;

  constructor(
    private readonly window: Window,
    private readonly clock: ClockPort,
    private readonly origins: ScriptOrigins,
  ) {
    this.scripts = pageShared(window, 'scripts', () => ({
      loads: new Map(),
      dead: new WeakSet(),
      origins: new Set(),
      policy: null,
    }));
    for (const origin of Object.keys(origins)) this.scripts.origins.add(origin);
  }

  /**
   * Loads the script and returns the result of `find` after it has run. Rejects with an Error if the script is refused, fails, takes longer
   * than 5 s, or if `find` returns null; the next call tries again.
   */
  async load<T>(url: string, find: () => T | null): Promise<T> {
    const { origin } = new URL(url);
    if (!Object.hasOwn(this.origins, origin)) throw new Error(`Scripts of ${origin} are not loaded`);
    const { loads } = this.scripts;
    const load = loads.get(url) ?? this.begin(url, origin, find);
    loads.set(url, load);
    try {
      await load;
      const found = find();
      if (found === null) throw new Error(`${url} has unexpected content`);
      return found;
    } catch (error) {
      if (loads.get(url) === load) loads.delete(url);
      throw error;
    }
  }

  /** Removes a script that ran but does not work: the next call loads it again. */
  forget(url: string): void {
    if (!this.scripts.loads.delete(url)) return;
    for (const script of Array.from(this.window.document.scripts)) if (script.src === url) script.remove();
  }

  private async begin(url: string, origin: string, find: () => unknown): Promise<void> {
    const { document } = this.window;
    const theirs = Array.from(document.scripts).find((one) => one.src === url && !this.scripts.dead.has(one));
    if (theirs !== undefined && find() !== null) return;
    const script = theirs ?? this.element(url, origin);
    const outcome = new Promise<boolean>((resolve) => {
      const stop = this.clock.after(PATIENCE_MS, () => resolve(false));
      const end = (event: Event): void => {
        stop();
        resolve(event.type === 'load');
      };
      script.addEventListener('load', end, { once: true });
      script.addEventListener('error', end, { once: true });
    });
    if (theirs === undefined) document.head.append(script);
    const loaded = await outcome;
    if (loaded && find() !== null) return;
    if (theirs === undefined) script.remove();
    else this.scripts.dead.add(theirs);
    throw new Error(`${url} could not be loaded`);
  }

  private element(url: string, origin: string): HTMLScriptElement {
    const script = this.window.document.createElement('script');
    if (this.origins[origin] === 'cors') script.crossOrigin = 'anonymous';
    script.async = true;
    script.src = this.trusted(url);
    return script;
  }

  /** The URL as `script.src` accepts it: a string, or a TrustedScriptURL in browsers with Trusted Types. */
  private trusted(url: string): string {
    const { scripts } = this;
    scripts.policy ??=
      (this.window as Page).trustedTypes?.createPolicy('portico', {
        createScriptURL: (text) => {
          if (scripts.origins.has(new URL(text).origin)) return text;
          throw new TypeError('Not an origin that scripts are loaded from');
        },
      }) ?? null;
    return (scripts.policy?.createScriptURL(url) as string | undefined) ?? url;
  }
}
