import { createElement, useEffect, useRef, useState, type ComponentType, type RefObject } from 'react';
import type { Screen, ScreenName } from '#domain/screens/screen.ts';
import type { Toast } from '#domain/screens/widget-state.ts';
import { isHelpUrl } from '#domain/safe-url.ts';
import { FromLogin } from './components/FromLogin.tsx';
import { Icon } from './components/Icon.tsx';
import { lazyScreen, onArrival, PART_OF, partsAhead, useStore, type AnyScreen, type PartName } from './parts/parts.ts';
import { useScreenFocus } from './hooks/focus.ts';
import { useBootstrap, useScreenState, useWidget } from './hooks/useWidget.ts';
import { Main } from './main/Main.tsx';
import { onFirstUse } from './first-use.ts';

/**
 * Loads the screen's own part immediately, and the parts that may follow when the widget is likely to be used. If the screen's own part or
 * the widget's effects cannot be loaded, rendering throws, and the error screen offers to try again.
 */
function useLoadedParts(root: RefObject<HTMLElement | null>, screen: ScreenName): void {
  const { model, config, layout, loadPart, onUse, moves } = useWidget();
  const [failure, setFailure] = useState<Error>();
  if (failure) throw failure;
  const own = screen === 'Main' ? null : PART_OF[screen];
  const ahead = own ?? partsAhead(config, layout).join(' ');

  useEffect(() => {
    let isGone = false;
    if (own !== null)
      Promise.all([loadPart(own), model.rules.load()]).catch((error: Error) => {
        if (!isGone) setFailure(error);
      });
    const widget = root.current?.closest<HTMLElement>('[data-portico]');
    const cancel =
      widget &&
      onFirstUse(widget, () => {
        onUse?.();
        // A failed preload is repeated when the part's screen shows.
        for (const name of ahead.split(' ')) loadPart(name as PartName).catch(() => undefined);
      });
    return () => {
      isGone = true;
      cancel?.();
    };
  }, [root, own, ahead, model, loadPart, onUse, moves]);
}

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

/** A reserved domain (RFC 2606) until the product has its own address. */
const HOME = 'https://portico.example/';

/** The end of every screen: the host's help page, and the 'Powered by' link if the project's settings require it. */
function Foot() {
  const { config, t } = useWidget();
  const { displayWatermark } = useBootstrap();
  const text = t('watermark');
  const { helpUrl } = config;
  return (
    <>
      {helpUrl && isHelpUrl(helpUrl) && (
        <p data-part="divider">
          <a href={helpUrl}>{t('help')}</a>
        </p>
      )}
      {displayWatermark && (
        // Some languages keep the English words.
        <a
          data-part="watermark"
          lang={text === 'Powered by' ? 'en' : undefined}
          href={HOME}
          target="_blank"
          rel="noopener"
        >
          <span>{text}</span> <strong>Portico</strong>
        </a>
      )}
    </>
  );
}

/** The toasts under the card. The element is always in the page, so that screen readers announce new toasts. */
function Toasts({ toasts }: { readonly toasts: readonly Toast[] }) {
  return (
    <div data-part="toasts" role="alert" aria-atomic={false}>
      {toasts.map((toast) => (
        <FromLogin key={toast.id}>{(login) => <login.Toast toast={toast} />}</FromLogin>
      ))}
    </div>
  );
}

/** The card with the current screen, and the toasts under it. */
export function WidgetBody() {
  const { model, t } = useWidget();
  const latest = useScreenState(model);
  const root = useRef<HTMLDivElement>(null);
  useLoadedParts(root, latest.screen.name);
  const read = (): AnyScreen | null => screenOf(latest.screen);
  const waiting = useStore(onArrival, read) === null;
  // The previous screen stays under the loading cover until the code of this one has arrived.
  const [visibleScreen, setShown] = useState<Screen | null>(waiting ? null : latest.screen);
  if (!waiting && visibleScreen !== latest.screen) setShown(latest.screen);
  const state = waiting ? { ...latest, screen: visibleScreen ?? latest.screen, loading: true } : latest;
  const { screen } = state;
  const { name } = screen;
  const Current = screenOf(screen);
  // A message that is sent automatically becomes known after its screen, which then counts as another screen.
  const look =
    'message' in screen ? `${name} ${screen.message?.kind}` : 'tokenType' in screen ? screen.tokenType : name;
  // Until the code of a widget's first screen has arrived, nothing in the widget can take the focus.
  useScreenFocus(root, Current === null ? null : look, t('main.title'));
  return (
    <>
      <div ref={root} data-part="container" data-screen={name} aria-busy={state.loading || undefined}>
        <div
          data-part="content"
          data-state={state.loading ? 'loading' : 'ready'}
          aria-hidden={state.loading || undefined}
        >
          {Current && createElement(Current, { screen, state })}
          <Foot />
        </div>
        {state.loading && <LoadingCover />}
        <FromLogin>{(login) => <login.CardEffects card={root} screen={look} />}</FromLogin>
      </div>
      <Toasts toasts={state.toasts} />
    </>
  );
}
