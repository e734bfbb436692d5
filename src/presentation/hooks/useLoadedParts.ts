import { useEffect, useState, type RefObject } from 'react';
import type { ScreenName } from '../../domain/screens/screen.ts';
import { loadPart } from '../parts/load-part.ts';
import { PART_OF, partsAhead, type PartName } from '../parts/parts.ts';
import { onFirstUse } from '../first-use.ts';
import { useWidget } from './useWidget.ts';

/**
 * Loads the screen's own part at once, and the parts that may follow when the widget is likely to be used. When the screen's own
 * part cannot be loaded, rendering throws, and the error screen offers to try again.
 */
export function useLoadedParts(root: RefObject<HTMLElement | null>, screen: ScreenName): void {
  const { config, layout, onUse } = useWidget();
  const [, rerender] = useState<unknown>(null);
  const own = screen === 'Main' ? null : PART_OF[screen];
  const ahead = partsAhead(screen, config, layout).join(' ');

  useEffect(() => {
    let gone = false;
    const load = (name: PartName): Promise<void> =>
      loadPart(name).catch((error: unknown) => {
        // A part that failed to preload is loaded again when its screen shows.
        if (gone || name !== own) return;
        rerender(() => {
          throw error;
        });
      });
    if (own !== null) void load(own);
    const widget = root.current?.closest<HTMLElement>('[data-portico]');
    const cancel =
      widget &&
      onFirstUse(widget, () => {
        onUse?.();
        for (const name of ahead.split(' ')) void load(name as PartName);
      });
    return () => {
      gone = true;
      cancel?.();
    };
  }, [root, own, ahead, onUse]);
}
