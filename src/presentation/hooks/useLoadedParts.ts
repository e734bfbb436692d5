import { useEffect, useState, type RefObject } from 'react';
import type { ScreenName } from '../../domain/screens/screen.ts';
import { loadPart } from '../parts/load-part.ts';
import { PART_OF, partsAhead, type PartName } from '../parts/parts.ts';
import { partOf } from '../parts/registry.ts';
import { whenWanted } from '../when-wanted.ts';
import { useWidget } from './useWidget.ts';

/**
 * Loads the screen's own part at once, and those that may follow when the widget is likely to be used. When the screen's
 * own part cannot be loaded, the rendering throws, and the error screen offers to try again.
 */
export function useLoadedParts(root: RefObject<HTMLElement | null>, screen: ScreenName): void {
  const { config, layout } = useWidget();
  const [, rerender] = useState<unknown>(null);
  const own = screen === 'Main' ? null : PART_OF[screen];
  const ahead = partsAhead(screen, config, layout).join(' ');

  useEffect(() => {
    if (own === null || partOf(own) !== null) return undefined;
    let gone = false;
    loadPart(own).catch((error: unknown) => {
      if (gone) return;
      rerender(() => {
        throw error;
      });
    });
    return () => {
      gone = true;
    };
  }, [own]);

  useEffect(() => {
    const missing = (ahead.split(' ') as PartName[]).filter((name) => partOf(name) === null);
    if (root.current === null || missing.length === 0) return undefined;
    return whenWanted(root.current, () => {
      // A part that fails here is loaded again when its screen is shown.
      for (const name of missing) loadPart(name).catch(() => undefined);
    });
  }, [root, ahead]);
}
