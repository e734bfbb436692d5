import { useSyncExternalStore } from 'react';
import type { PartName, Parts } from '../parts/parts.ts';
import { onArrival, partOf } from '../parts/registry.ts';

/** A loaded part, or null. Renders again when the part is loaded. */
export function usePart<Name extends PartName>(name: Name): Parts[Name] | null {
  return useSyncExternalStore(onArrival, () => partOf(name));
}
