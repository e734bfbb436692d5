import { Component, useCallback, useEffect, useInsertionEffect, useMemo, useRef, useState } from 'react';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import { directionOf, type Language } from '#domain/widget/language.ts';
import { mainLayout } from '#domain/screens/main-layout.ts';
import type { StyleConfig } from '#domain/widget/theme.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { WidgetBody } from './WidgetBody.tsx';
import { loadPart } from './parts/load-part.ts';
import { overLocale, useLanguage } from './messages/language.ts';
import { useWidget, WidgetContext, type WidgetTools } from './hooks/useWidget.ts';
import { makeTranslate, type StringOverrides } from './messages/catalogue.ts';
import { Button } from './components/Button.tsx';
import { reloadPage } from './components/reload-page.ts';
import { ScreenFrame } from './components/ScreenFrame.tsx';
import { useScreenFocus } from './hooks/focus.ts';
import { lazyScreen, partOf } from './parts/parts.ts';
import type { Elements } from './elements.ts';

/** The generic error screen, which replaces a card that threw. */
function Failure({ retry }: { readonly retry: () => void }) {
  const { model, t } = useWidget();
  const root = useRef<HTMLDivElement>(null);
  const { name } = model.getState().screen;
  const isUnloaded = name !== 'Main' && !(lazyScreen(name) && model.rules.value());
  useScreenFocus(root, 'Failure', t('failure.title'));
  const login = partOf('login');
  useInsertionEffect(() => login?.adoptSheet(), []);
  return (
    <div ref={root} data-part="container" data-screen="Failure">
      <div data-part="content">
        <ScreenFrame mark={login && 'alert'} title={t('failure.title')}>
          <p data-part="text">{t(isUnloaded ? 'failure.unloaded' : 'failure.text')}</p>
          <div data-part="panel">
            <Button
              look="primary"
              onPress={() => {
                if (isUnloaded) {
                  reloadPage();
                  return;
                }
                retry();
                // Leaving the reset form would lose the token of the reset mail.
                if (name !== 'PasswordResetForm') model.send({ type: 'back' });
              }}
            >
              {t(isUnloaded ? 'failure.reload' : 'failure.back')}
            </Button>
          </div>
        </ScreenFrame>
      </div>
    </div>
  );
}

/** Shows the error screen in place of children that threw. A class, because React has error boundaries only as classes. */
class ErrorBoundary extends Component<{ readonly children: Elements }, { readonly failed: boolean }> {
  override readonly state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): Elements {
    if (!this.state.failed) return this.props.children;
    return <Failure retry={() => this.setState({ failed: false })} />;
  }
}

interface Props {
  /** The prefix of the ids in markup that this widget takes over or makes. Default: a unique one. */
  readonly id?: string | undefined;
  readonly model: WidgetModel;
  readonly config: LoginConfig;
  readonly styles?: StyleConfig | undefined;
  readonly strings?: StringOverrides | undefined;
  /** English by default. The host's own texts may then be in any language, and use the page's writing direction. */
  readonly language?: Language | undefined;
  /** Called when the page is idle, or earlier when a person is about to use the widget. */
  readonly onUse?: () => void;
  /** The widget replaces an element that had the focus, and takes over the focus. */
  readonly takesFocus?: boolean;
  /** How often the widget has moved into another document or shadow root. */
  readonly moves?: number;
}

/** How long an announcement stays in the page. After that a screen reader has read it, and it must not be found while browsing. */
const ANNOUNCED_MS = 1_000;

/** A widget: the current screen in a card. Requires `followRoot` for its element. */
export function Widget({
  id: idPrefix,
  model,
  config,
  styles,
  strings: own,
  language: languageOption,
  onUse,
  takesFocus,
  moves,
}: Props) {
  // Unique among all widgets of the page, even those of another copy of the package.
  const [seed] = useState(Math.random);
  const live = useRef<HTMLOutputElement>(null);
  const lastScreen = useRef<string | null>(takesFocus === true ? '' : null);
  const silence = useRef<() => void>(() => {});
  useEffect(() => () => silence.current(), []);

  const announce = useCallback(
    (text: string) => {
      const region = live.current;
      if (region === null) return;
      silence.current();
      region.textContent = text;
      silence.current = model.clock.after(ANNOUNCED_MS, () => {
        region.textContent = '';
      });
    },
    [model],
  );

  const arrive = useCallback((screen: string) => {
    const from = lastScreen.current;
    lastScreen.current = screen;
    return from !== null && from !== screen;
  }, []);

  const spoken = useLanguage(languageOption ?? 'en', model.clock);
  const language = spoken ?? 'en';
  const isOurs = languageOption !== undefined || own === undefined;
  const layout = useMemo(() => mainLayout(config), [config]);
  const tools = useMemo<WidgetTools>(() => {
    const strings = overLocale(language, own);
    return {
      id: idPrefix ?? `p${seed}`,
      model,
      config,
      layout,
      styles,
      strings,
      language,
      t: makeTranslate(strings),
      loadPart,
      announce,
      arrive,
      onUse,
      takesFocus,
      moves,
    };
  }, [idPrefix, seed, model, config, layout, styles, own, language, announce, arrive, onUse, takesFocus, moves]);

  return (
    <WidgetContext.Provider value={tools}>
      <div
        data-portico=""
        data-state={spoken === null ? 'waiting' : 'ready'}
        {...(isOurs && { lang: language, dir: directionOf(language) })}
      >
        <ErrorBoundary>
          <WidgetBody />
        </ErrorBoundary>
        <output ref={live} data-part="announcer" aria-live="polite" />
      </div>
    </WidgetContext.Provider>
  );
}
