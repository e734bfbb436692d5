/** A window whose document loads scripts from a table, as far as the script loader looks at it. */

/** What running a script does; `'blocked'` does not load, `'hangs'` never answers. */
export type ScriptEffect = ((window: Record<string, unknown>) => void) | 'blocked' | 'hangs';

export class ScriptElement extends EventTarget {
  src = '';
  async = false;
  crossOrigin: string | null = null;
  onRemove: () => void = () => undefined;

  remove(): void {
    this.onRemove();
  }
}

export class ScriptPage {
  /** What is behind each URL, up to its query. */
  readonly served = new Map<string, ScriptEffect>();
  /** The elements that were put into the document, oldest first. */
  readonly appended: ScriptElement[] = [];
  /** Those that are there now. */
  readonly scripts: ScriptElement[] = [];
  readonly globals: Record<string, unknown> = {};

  /** What adapters take. */
  get window(): Window {
    return this.globals as unknown as Window;
  }

  constructor() {
    this.globals['document'] = {
      scripts: this.scripts,
      createElement: () => new ScriptElement(),
      head: { append: (script: ScriptElement) => this.append(script) },
    };
  }

  append(script: ScriptElement): void {
    this.appended.push(script);
    this.scripts.push(script);
    script.onRemove = () => {
      const at = this.scripts.indexOf(script);
      if (at >= 0) this.scripts.splice(at, 1);
    };
    const served = this.served.get(script.src.split('?')[0] ?? '') ?? 'blocked';
    if (served === 'hangs') return;
    queueMicrotask(() => {
      if (served !== 'blocked') served(this.globals);
      script.dispatchEvent(new Event(served === 'blocked' ? 'error' : 'load'));
    });
  }
}
