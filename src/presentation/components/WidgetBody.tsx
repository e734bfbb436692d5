import { useEffect, useRef } from 'react';
import { INITIAL_SCREEN } from '../../domain/screens/transitions.ts';
import { useLateScreens } from '../hooks/useLateScreens.ts';
import { useScreenFocus } from '../hooks/useScreenFocus.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { useWidgetState } from '../hooks/useWidgetState.ts';
import { CurrentScreen } from '../screens/CurrentScreen.tsx';
import { titleOf } from '../screens/titles.ts';
import { LoadingCover } from './LoadingCover.tsx';
import { Toasts } from './Toasts.tsx';
import { Watermark } from './Watermark.tsx';

/** The card with the present screen, and the toasts under it. */
export function WidgetBody() {
  const { model, t } = useWidget();
  const known = useWidgetState(model);
  const behind = known.screen.name !== 'Main';
  const late = useLateScreens(behind);
  // The first screen stays, covered, for the moment until the next one's code is there.
  const state = behind && late === null ? { ...known, screen: INITIAL_SCREEN, loading: true } : known;
  const root = useRef<HTMLDivElement>(null);
  const { name } = state.screen;
  useScreenFocus(root, name, titleOf(name, t));
  useEffect(() => {
    const element = root.current;
    if (element) element.dataset['dir'] = getComputedStyle(element).direction;
  }, []);
  return (
    <>
      <div ref={root} data-part="container" data-screen={name} aria-busy={state.loading || undefined}>
        <div
          data-part="content"
          data-state={state.loading ? 'loading' : 'ready'}
          aria-hidden={state.loading || undefined}
        >
          <CurrentScreen state={state} late={late} />
          {state.bootstrap.displayWatermark && <Watermark />}
        </div>
        {state.loading && <LoadingCover />}
      </div>
      <Toasts toasts={state.toasts} />
    </>
  );
}
