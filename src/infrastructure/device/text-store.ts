import { Observable } from 'rxjs';
import type { StoragePort } from '#application/ports/index.ts';

/** Texts by their keys. The calls are synchronous, and must not throw. */
export interface TextStore {
  /** Null for a key without a text. */
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/** Texts that are lost when the app ends. */
export function textsInMemory(texts: Iterable<readonly [key: string, text: string]> = []): TextStore {
  const values = new Map(texts);
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}

/** A store with asynchronous calls, such as `chrome.storage.local`. */
export interface SlowTextStore {
  /** All texts, by their keys. Values that are no strings are ignored. */
  load(): Promise<Readonly<Record<string, unknown>>>;
  set(key: string, value: string): Promise<unknown>;
  remove(key: string): Promise<unknown>;
}

/**
 * Reads all texts of an asynchronous store. Later calls use this copy, and the store receives the changes in their order. Changes by
 * others are not seen.
 *
 * @param onError receives the error of a change that the store refused. The copy keeps the change.
 * @throws the error of `load`
 */
export async function loadedTexts(
  store: SlowTextStore,
  onError: (error: unknown) => void = () => undefined,
): Promise<TextStore> {
  const texts = Object.entries(await store.load()).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
  const copy = textsInMemory(texts);
  let queue: Promise<unknown> = Promise.resolve();
  const write = (change: () => Promise<unknown>): void => {
    queue = queue.then(change).catch(onError);
  };
  return {
    get: (key) => copy.get(key),
    set: (key, value) => {
      copy.set(key, value);
      write(async () => store.set(key, value));
    },
    remove: (key) => {
      copy.remove(key);
      write(async () => store.remove(key));
    },
  };
}

/** The storage of an app without tabs: nobody else changes a value. */
export class TextStorage implements StoragePort {
  constructor(private readonly store: TextStore) {}

  get(key: string): string | null {
    return this.store.get(key);
  }

  set(key: string, value: string): void {
    this.store.set(key, value);
  }

  remove(key: string): void {
    this.store.remove(key);
  }

  changes(): Observable<string | null> {
    return new Observable();
  }
}
