import type { StorageArea, StorageEvents } from '#infrastructure/storage/web-storage.ts';

type Listener = Parameters<StorageEvents['addEventListener']>[1];
export type Fault = (action: 'area' | 'getItem' | 'setItem' | 'removeItem') => 'throw' | 'ignore' | null;

/** The `localStorage` that the tabs of one origin share, with the events that they get (HTML Standard, section 12.2). */
export class StorageBrowser {
  readonly values = new Map<string, string>();
  private readonly tabs: StorageTab[] = [];

  tab(): StorageTab {
    const tab = new StorageTab(this);
    this.tabs.push(tab);
    return tab;
  }

  announce(from: StorageTab | null, key: string | null): void {
    for (const tab of this.tabs) if (tab !== from) tab.dispatch(key);
  }
}

/** One tab: `() => tab.area()` and `tab` are what the adapter takes. */
export class StorageTab implements StorageEvents {
  fault: Fault = () => null;
  private readonly listeners = new Set<Listener>();
  private readonly store: StorageArea;

  constructor(browser: StorageBrowser) {
    this.store = {
      getItem: (key) => (this.fails('getItem') ? null : (browser.values.get(key) ?? null)),
      setItem: (key, value) => {
        if (this.fails('setItem') || browser.values.get(key) === value) return;
        browser.values.set(key, value);
        browser.announce(this, key);
      },
      removeItem: (key) => {
        if (this.fails('removeItem') || !browser.values.delete(key)) return;
        browser.announce(this, key);
      },
    };
  }

  area(): StorageArea | null {
    return this.fails('area') ? null : this.store;
  }

  addEventListener(_: 'storage', listener: Listener): void {
    this.listeners.add(listener);
  }

  removeEventListener(_: 'storage', listener: Listener): void {
    this.listeners.delete(listener);
  }

  get listening(): number {
    return this.listeners.size;
  }

  dispatch(key: string | null, storageArea: unknown = this.store): void {
    for (const listener of this.listeners) listener({ key, storageArea: storageArea as Storage | null });
  }

  private fails(action: Parameters<Fault>[0]): boolean {
    const fault = this.fault(action);
    if (fault === 'throw')
      throw new DOMException('refused', action === 'area' ? 'SecurityError' : 'QuotaExceededError');
    return fault === 'ignore';
  }
}
