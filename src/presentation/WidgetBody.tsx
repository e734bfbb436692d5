import { createElement, useEffect, useRef, useState, useSyncExternalStore, type ComponentType } from 'react';
import type { Screen } from '../domain/screens/screen.ts';
import { LoadingCover } from './components/LoadingCover.tsx';
import { Toasts } from './components/Toasts.tsx';
import { Watermark } from './components/Watermark.tsx';
import { useLoadedParts } from './hooks/useLoadedParts.ts';
import { useScreenFocus } from './hooks/useScreenFocus.ts';
import { useWidget } from './hooks/useWidget.ts';
import { useWidgetState } from './hooks/useWidgetState.ts';
import { Main } from './main/Main.tsx';
import { lazyScreen, onArrival, type AnyScreen } from './parts/registry.ts';

const screenOf = (screen: Screen): AnyScreen | null =>
  screen.name === 'Main' ? (Main as ComponentType<never> as AnyScreen) : lazyScreen(screen.name);

/** The card with the present screen, and the toasts under it. */
export function WidgetBody() {
  const { model, language, t } = useWidget();
  const known = useWidgetState(model);
  const root = useRef<HTMLDivElement>(null);
  useLoadedParts(root, known.screen.name);
  const read = (): AnyScreen | null => screenOf(known.screen);
  const waiting = useSyncExternalStore(onArrival, read) === null;
  // The screen before, where there was one, stays under the loading cover until this one's code is there.
  const [shown, setShown] = useState<Screen | null>(null);
  if (!waiting && shown !== known.screen) setShown(known.screen);
  const state = waiting ? { ...known, screen: shown ?? known.screen, loading: true } : known;
  const { screen } = state;
  const { name } = screen;
  const Current = screenOf(screen);
  // A message that was sent unasked is known later than its screen, and looks like another screen.
  const look =
    'message' in screen ? `${name} ${screen.message?.kind}` : 'tokenType' in screen ? screen.tokenType : name;
  // The code of a widget's first screen may be on its way: until it is there, nothing stands that could take the focus.
  useScreenFocus(root, Current === null ? null : look, t('main.title'));
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
          {Current && createElement(Current, { screen, state })}
          {state.bootstrap.displayWatermark && <Watermark />}
        </div>
        {state.loading && <LoadingCover />}
      </div>
      <Toasts toasts={state.toasts} />
    </>
  );
}
