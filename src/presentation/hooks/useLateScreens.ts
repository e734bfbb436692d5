import { useEffect, useState } from 'react';
import type * as lateScreensModule from '../screens/late-screens.ts';

export type LateScreens = typeof lateScreensModule;

/** Code that has arrived stays: the same for every widget of a page. */
let arrived: LateScreens | null = null;

/** What has arrived, or null; a rendering follows when it does. */
export function lateScreens(): LateScreens | null {
  return arrived;
}

/** Loads the screens behind the first one. What failed to load is tried anew by the next call. */
export async function loadLateScreens(): Promise<LateScreens> {
  arrived = await import('../screens/late-screens.ts');
  return arrived;
}

/**
 * The screens behind the first one, or null until they have arrived. Where they are `needed` and cannot be loaded, the
 * rendering throws, and the error screen's way back tries again.
 */
export function useLateScreens(needed: boolean): LateScreens | null {
  const [late, setLate] = useState(arrived);
  useEffect(() => {
    if (late !== null) return undefined;
    let gone = false;
    const load = async (): Promise<void> => {
      try {
        const screens = await loadLateScreens();
        if (!gone) setLate(screens);
      } catch (error) {
        if (gone || !needed) return;
        setLate(() => {
          throw error;
        });
      }
    };
    void load();
    return () => {
      gone = true;
    };
  }, [late, needed]);
  return late;
}
