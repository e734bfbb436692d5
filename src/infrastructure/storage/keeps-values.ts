import type { StorageArea } from './web-storage.ts';

const PROBE = 'portico_probe';

/** True if the store keeps written values. False if it is blocked, full, or ignores writes. */
export function keepsValues(area: () => StorageArea | null): boolean {
  try {
    const store = area();
    store?.setItem(PROBE, PROBE);
    const isKept = store?.getItem(PROBE) === PROBE;
    store?.removeItem(PROBE);
    return isKept;
  } catch {
    return false;
  }
}
