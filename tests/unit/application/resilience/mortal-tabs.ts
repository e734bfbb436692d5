/** A browser whose tabs are processes: each can be killed or frozen, and reads late what another one writes to storage. */
import { filter, map, Subject, type Observable } from 'rxjs';
import type { ClockPort, StoragePort } from '#application/ports/index.ts';
import type { LockRequests } from '#infrastructure/browser/web-locks.ts';
import type { VirtualClock } from '#kit/ports/virtual-clock.ts';
import type { Random } from './random.ts';

/** The longest way from a tab to the browser, or back. */
const WAY_MS = 140;

interface StorageWrite {
  readonly from: MortalTab;
  readonly key: string;
  readonly value: string | null;
}

interface Wish {
  readonly tab: MortalTab;
  readonly name: string;
  readonly begin: () => void;
}

/** What the processes of the tabs share: the order of writes, and the locks. */
export class MortalBrowser {
  readonly tabs: MortalTab[] = [];
  readonly values = new Map<string, string>();
  private readonly held = new Map<string, Wish>();
  private waiting: readonly Wish[] = [];

  constructor(
    readonly clock: VirtualClock,
    readonly random: Random,
  ) {}

  /** @param tickMs its timers are rounded up to so many milliseconds */
  open(tickMs: number): MortalTab {
    const tab = new MortalTab(this, tickMs);
    this.tabs.push(tab);
    return tab;
  }

  write(written: StorageWrite): void {
    const { key, value } = written;
    if (value === null) this.values.delete(key);
    else this.values.set(key, value);
    for (const tab of this.tabs) tab.receive(written);
  }

  wish(wish: Wish): void {
    this.waiting = [...this.waiting, wish];
    this.grant(wish.name);
  }

  /** Ends the wish, whether it waits or has the lock. */
  end(wish: Wish): void {
    this.waiting = this.waiting.filter((one) => one !== wish);
    if (this.held.get(wish.name) === wish) this.held.delete(wish.name);
    this.grant(wish.name);
  }

  endAllOf(tab: MortalTab): void {
    this.waiting = this.waiting.filter((one) => one.tab !== tab);
    for (const wish of this.held.values()) if (wish.tab === tab) this.end(wish);
  }

  private grant(name: string): void {
    const next = this.waiting.find((one) => one.name === name);
    if (next === undefined || this.held.has(name)) return;
    this.waiting = this.waiting.filter((one) => one !== next);
    this.held.set(name, next);
    next.tab.run(next.begin);
  }
}

export class MortalTab implements ClockPort, StoragePort, LockRequests {
  private state: 'runs' | 'frozen' | 'killed' = 'runs';
  private late: (() => void)[] = [];
  private readonly view: Map<string, string>;
  /** By key, the writes that the browser has not confirmed: until then the tab sees its own. */
  private readonly unconfirmed = new Map<string, number>();
  private readonly news = new Subject<StorageWrite>();
  private readonly out: (() => void)[] = [];
  private readonly incoming: (() => void)[] = [];

  constructor(
    private readonly browser: MortalBrowser,
    private readonly tickMs: number,
  ) {
    this.view = new Map(browser.values);
  }

  kill(): void {
    this.state = 'killed';
    this.browser.endAllOf(this);
  }

  freeze(): void {
    this.state = 'frozen';
  }

  thaw(): void {
    this.state = 'runs';
    for (const task of this.late.splice(0)) task();
  }

  isKilled(): boolean {
    return this.state === 'killed';
  }

  /** Runs the task now; in a frozen tab, when it goes on. */
  run(task: () => void): void {
    if (this.state === 'runs') task();
    else if (this.state === 'frozen') this.late.push(task);
  }

  now(): number {
    return this.browser.clock.now();
  }

  after(ms: number, task: () => void): () => void {
    const { clock } = this.browser;
    const due = Math.ceil((clock.now() + ms) / this.tickMs) * this.tickMs;
    return clock.after(due - clock.now(), () => this.run(task));
  }

  get(key: string): string | null {
    return this.view.get(key) ?? null;
  }

  set(key: string, value: string): void {
    this.write(key, value);
  }

  remove(key: string): void {
    this.write(key, null);
  }

  changes(key: string): Observable<string | null> {
    return this.news.pipe(
      filter((written) => written.key === key),
      map(() => this.get(key)),
    );
  }

  receive(written: StorageWrite): void {
    this.travel(this.incoming, () => this.run(() => this.see(written)));
  }

  async request(name: string, { signal }: { readonly signal: AbortSignal }, task: () => Promise<unknown>) {
    return new Promise<unknown>((resolve, reject) => {
      let begun = false;
      const wish: Wish = {
        tab: this,
        name,
        begin: () => {
          begun = true;
          void task()
            .then(resolve, reject)
            .finally(() => this.browser.end(wish));
        },
      };
      signal.addEventListener('abort', () => {
        if (!begun) this.browser.end(wish);
      });
      this.browser.wish(wish);
    });
  }

  private write(key: string, value: string | null): void {
    if (this.state === 'killed') return;
    this.look(key, value);
    this.unconfirmed.set(key, (this.unconfirmed.get(key) ?? 0) + 1);
    this.travel(this.out, () => this.browser.write({ from: this, key, value }));
  }

  private see(written: StorageWrite): void {
    const { from, key, value } = written;
    const open = this.unconfirmed.get(key) ?? 0;
    if (from === this) this.unconfirmed.set(key, open - 1);
    else if (open === 0) {
      this.look(key, value);
      this.news.next(written);
    }
  }

  private look(key: string, value: string | null): void {
    if (value === null) this.view.delete(key);
    else this.view.set(key, value);
  }

  /** None overtakes the one before. */
  private travel(onWay: (() => void)[], task: () => void): void {
    const { clock, random } = this.browser;
    onWay.push(task);
    clock.after(random.between(0, WAY_MS), () => onWay.shift()?.());
  }
}
