import { createElement, useEffect, useRef, useState, useSyncExternalStore, type ComponentType } from 'react';
import type { Screen } from '../domain/screens/screen.ts';
import type { Toast } from '../domain/screens/widget-state.ts';
import { Icon } from './components/Icon.tsx';
import { useLoadedParts } from './hooks/useLoadedParts.ts';
import { usePart } from './hooks/usePart.ts';
import { useScreenFocus } from './hooks/useScreenFocus.ts';
import { useWidget, useWidgetState } from './hooks/useWidget.ts';
import { Main } from './main/Main.tsx';
import { lazyScreen, onArrival, type AnyScreen } from './parts/registry.ts';

const screenOf = (screen: Screen): AnyScreen | null =>
  screen.name === 'Main' ? (Main as ComponentType<never> as AnyScreen) : lazyScreen(screen.name);

/** Covers the content while the widget is loading. */
function LoadingCover() {
  const { t } = useWidget();
  return (
    <output data-part="loading">
      <Icon name="spinner" />
      <span>{t('loading')}</span>
    </output>
  );
}

/** The toasts under the card. The element is always in the page, so that screen readers announce new toasts. */
function Toasts({ toasts }: { readonly toasts: readonly Toast[] }) {
  const part = usePart('login');
  return (
    <div data-part="toasts" role="alert" aria-atomic={false}>
      {part !== null && toasts.map((toast) => <part.Toast key={toast.id} toast={toast} />)}
    </div>
  );
}

/** A reserved domain (RFC 2606) until the product has its own address. */
const HOME = 'https://portico.example/';

/** The 'Powered by' link, when the project's settings require it. */
function Watermark() {
  const { t } = useWidget();
  return (
    <a data-part="watermark" href={HOME} target="_blank" rel="noopener">
      {t('watermark')} <strong>Portico</strong>
    </a>
  );
}

/** The card with the current screen, and the toasts under it. */
export function WidgetBody() {
  const { model, language, t } = useWidget();
  const known = useWidgetState(model);
  const root = useRef<HTMLDivElement>(null);
  useLoadedParts(root, known.screen.name);
  const read = (): AnyScreen | null => screenOf(known.screen);
  const waiting = useSyncExternalStore(onArrival, read) === null;
  // The previous screen stays under the loading cover until the code of the new screen is loaded.
  const [shown, setShown] = useState<Screen | null>(waiting ? null : known.screen);
  if (!waiting && shown !== known.screen) setShown(known.screen);
  const state = waiting ? { ...known, screen: shown ?? known.screen, loading: true } : known;
  const { screen } = state;
  const { name } = screen;
  const Current = screenOf(screen);
  // A message that is sent automatically becomes known after its screen, and then counts as another screen.
  const look =
    'message' in screen ? `${name} ${screen.message?.kind}` : 'tokenType' in screen ? screen.tokenType : name;
  // While the code of the first screen is loading, there is no element that could take the focus.
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
