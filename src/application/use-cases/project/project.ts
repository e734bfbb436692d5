import { Subject, type Observable } from 'rxjs';
import { bootstrapFrom, type Bootstrap } from '#domain/project/bootstrap.ts';
import { parseJson } from '#domain/json.ts';
import { projects } from '../../api/index.ts';
import type { ClockPort, LogPort, StoragePort } from '../../ports/index.ts';
import type { ClientKeys } from '../../wire/client-keys.ts';
import type { WireClient } from '../../wire/wire-client.ts';

/** A request this soon after the last one shares its result (specification, section 9). */
const DEDUPE_MS = 2_000;

/** The result of a request: the project's settings, or the error. */
export type BootstrapResult =
  | { readonly bootstrap: Bootstrap; readonly error: null }
  | { readonly bootstrap: null; readonly error: unknown };

/**
 * The project's settings from the server. Without a response the last good copy is used, and without a copy the defaults, so reading
 * them never rejects. Only a response that this page received can turn PKCE off. Until then PKCE counts as required.
 */
export class Project {
  private settings: Promise<Bootstrap> | null = null;
  /** The last good copy, parsed once, because a list may check permissions in every row. */
  private copy: { readonly text: string; readonly bootstrap: Bootstrap } | null = null;
  private asking: Promise<BootstrapResult> | null = null;
  /** The result of the last request; `lastAt` is when it arrived. */
  private last: BootstrapResult | null = null;
  private lastAt = 0;
  private readonly subject = new Subject<BootstrapResult>();

  /** The result of every request from now on. */
  readonly told$: Observable<BootstrapResult> = this.subject;

  constructor(
    private readonly wire: WireClient,
    private readonly storage: StoragePort,
    private readonly keys: ClientKeys,
    private readonly log: LogPort,
    private readonly clock: ClockPort,
  ) {}

  /** Requests the settings once. After a failure, a later call requests them again. */
  bootstrap(): Promise<Bootstrap> {
    if (this.settings === null || (this.failure() !== null && !this.isRecent())) {
      this.settings = this.ask().then(({ bootstrap }) => bootstrap ?? this.lastKnown());
    }
    return this.settings;
  }

  /** Requests the settings again, unless a request was just made. A failure keeps the current ones. */
  async refresh(): Promise<void> {
    if (this.isRecent()) return;
    const { bootstrap } = await this.ask();
    if (bootstrap !== null) this.settings = Promise.resolve(bootstrap);
  }

  /** The error of the last request; null when it succeeded. */
  failure(): unknown {
    return this.last?.error ?? null;
  }

  /** The settings without a request: the last good copy, else the defaults. */
  lastKnown(): Bootstrap {
    const text = this.storage.get(this.keys.storage('bootstrap')) ?? 'null';
    if (this.copy?.text !== text) this.copy = { text, bootstrap: bootstrapFrom(parseJson(text), false) };
    return this.copy.bootstrap;
  }

  destroy(): void {
    this.subject.complete();
  }

  /** If the clock was set back, the last request does not count as recent. */
  private isRecent(): boolean {
    return this.last !== null && Math.abs(this.clock.now() - this.lastAt) < DEDUPE_MS;
  }

  private ask(): Promise<BootstrapResult> {
    return (this.asking ??= this.load());
  }

  private async load(): Promise<BootstrapResult> {
    try {
      const params = { publicToken: this.keys.publicToken };
      const reply = await this.wire.call(projects.bootstrap, {}, { params, once: true });
      const text = JSON.stringify(reply);
      this.storage.set(this.keys.storage('bootstrap'), text);
      this.copy = { text, bootstrap: bootstrapFrom(reply, false) };
      const bootstrap = bootstrapFrom(reply);
      if (bootstrap.vertical === 'B2B' && this.last === null)
        this.log.error('This public token belongs to a B2B project; this client is for consumers.');
      return this.tell({ bootstrap, error: null });
    } catch (error) {
      return this.tell({ bootstrap: null, error });
    }
  }

  private tell(result: BootstrapResult): BootstrapResult {
    this.asking = null;
    this.last = result;
    this.lastAt = this.clock.now();
    this.subject.next(result);
    return result;
  }
}
