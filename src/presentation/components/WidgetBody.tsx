import { useEffect, useRef, useState } from 'react';
import type { Screen } from '../../domain/screens/screen.ts';
import { useParts } from '../hooks/useParts.ts';
import { useScreenFocus } from '../hooks/useScreenFocus.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { useWidgetState } from '../hooks/useWidgetState.ts';
import { CurrentScreen, lateScreen } from '../screens/CurrentScreen.tsx';
import { PART_OF, partsAhead } from '../screens/part-names.ts';
import { LoadingCover } from './LoadingCover.tsx';
import { Toasts } from './Toasts.tsx';
import { Watermark } from './Watermark.tsx';

/** The card with the present screen, and the toasts under it. */
export function WidgetBody() {
  const { model, config, language, t } = useWidget();
  const known = useWidgetState(model);
  const asked = known.screen.name;
  useParts(partsAhead(asked, config), asked === 'Main' ? null : PART_OF[asked]);
  const waiting = asked !== 'Main' && lateScreen(asked) === null;
  // The screen before, where there was one, stays covered for the moment until this one's code is there.
  const [shown, setShown] = useState<Screen | null>(null);
  if (!waiting && shown !== known.screen) setShown(known.screen);
  const state = waiting ? { ...known, screen: shown ?? known.screen, loading: true } : known;
  const root = useRef<HTMLDivElement>(null);
  const { screen } = state;
  const { name } = screen;
  // What was sent by itself is known later than its screen, and looks like another one.
  const look =
    'message' in screen ? `${name} ${screen.message?.kind}` : 'tokenType' in screen ? screen.tokenType : name;
  // The code of a widget's first screen may be on its way: until it is there, nothing stands that could take the focus.
  const isEmpty = waiting && shown === null;
  useScreenFocus(root, isEmpty ? null : look, t('main.title'));
  useEffect(() => {
    const element = root.current;
    if (element) element.dataset['dir'] = getComputedStyle(element).direction;
  }, [language]);
  return (
    <>
      <div ref={root} data-part="container" data-screen={name} aria-busy={state.loading || undefined}>
        <div
          data-part="content"
          data-state={state.loading ? 'loading' : 'ready'}
          aria-hidden={state.loading || undefined}
        >
          <CurrentScreen state={state} />
          {state.bootstrap.displayWatermark && <Watermark />}
        </div>
        {state.loading && <LoadingCover />}
      </div>
      <Toasts toasts={state.toasts} />
    </>
  );
}
