import { describe, expect, it } from 'vitest';
import { StorageBus } from '#kit/ports/memory-storage.ts';
import { WebStorage } from '#infrastructure/storage/web-storage.ts';
import { StorageBrowser } from '../unit/infrastructure/support/storage-browser.ts';
import { storageContract } from './storage.contract.ts';

const runner = { describe, it, expect };

storageContract(runner, 'MemoryStorage', () => {
  const bus = new StorageBus();
  return { here: bus.tab(), elsewhere: bus.tab(), heard: () => undefined, refuse: () => void (bus.full = true) };
});

storageContract(runner, 'MemoryStorage, whose tabs hear late', () => {
  const bus = new StorageBus();
  bus.hold();
  const heard = (): void => {
    bus.deliver();
    bus.hold();
  };
  return { here: bus.tab(), elsewhere: bus.tab(), heard, refuse: () => void (bus.full = true) };
});

storageContract(runner, 'WebStorage on a stand-in of localStorage', () => {
  const browser = new StorageBrowser();
  const [here, elsewhere] = [browser.tab(), browser.tab()];
  return {
    here: new WebStorage(() => here.area(), here),
    elsewhere: new WebStorage(() => elsewhere.area(), elsewhere),
    heard: () => undefined,
    refuse: () => void (here.fault = (action) => (action === 'getItem' ? null : 'throw')),
  };
});
