import { describe, expect, it, vi } from 'vitest';
import { WebStorage, type StorageEvents } from '#infrastructure/storage/web-storage.ts';
import { storageContract, type StorageElsewhere } from './storage.contract.ts';

/** The environment has one page and tells nobody of its writes: the other tab's are announced here. */
function announcing(port: StorageElsewhere): StorageElsewhere {
  const tell = (key: string): void => {
    window.dispatchEvent(new StorageEvent('storage', { key, storageArea: localStorage }));
  };
  return {
    get: (key) => port.get(key),
    set: (key, value) => (void port.set(key, value), tell(key)),
    remove: (key) => (void port.remove(key), tell(key)),
  };
}

/** The clients of one window tell each other of their writes without events: another tab has its own. */
const anotherWindow = (): StorageEvents => ({
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
});

storageContract({ describe, it, expect }, 'WebStorage on the environment’s localStorage', () => {
  localStorage.clear();
  return {
    here: new WebStorage(() => localStorage, window),
    elsewhere: announcing(new WebStorage(() => localStorage, anotherWindow())),
    heard: () => undefined,
    refuse: () => {
      const refuse = (): never => {
        throw new DOMException('full', 'QuotaExceededError');
      };
      vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
      vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(refuse);
    },
    dispose: () => void vi.restoreAllMocks(),
  };
});
