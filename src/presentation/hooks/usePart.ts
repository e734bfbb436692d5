import { useSyncExternalStore } from 'react';
import type { PartName, Parts } from '../parts/parts.ts';
import { onArrival, partOf } from '../parts/registry.ts';

/** A part that has arrived, or null; renders again when it arrives. */
export function usePart<Name extends PartName>(name: Name): Parts[Name] | null {
  return useSyncExternalStore(onArrival, () => partOf(name));
}
