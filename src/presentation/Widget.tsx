import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { WidgetModel } from '../application/widget/widget-model.ts';
import { directionOf, type Language } from '../domain/language.ts';
import { mainLayout } from '../domain/screens/main-layout.ts';
import type { StyleConfig } from '../domain/theme.ts';
import type { LoginConfig } from '../domain/widget-config.ts';
import { ErrorBoundary } from './components/ErrorBoundary.tsx';
import { WidgetBody } from './WidgetBody.tsx';
import { useLanguage } from './hooks/useLanguage.ts';
import { WidgetContext, type WidgetTools } from './hooks/useWidget.ts';
import type { StringOverrides } from './messages/catalogue.ts';
import { overLocale } from './messages/locale.ts';
import { makeTranslate } from './messages/translate.ts';

interface Props {
  readonly model: WidgetModel;
  readonly config: LoginConfig;
  readonly styles?: StyleConfig | undefined;
  readonly strings?: StringOverrides | undefined;
  /** English by default. The host's own texts may then be in any language, and use the page's writing direction. */
  readonly language?: Language | undefined;
  /** Called when the page is idle, or earlier when a person is about to use the widget. */
  readonly onUse?: () => void;
  /** The widget replaces an element that had the focus, and takes the focus. */
  readonly takesFocus?: boolean;
}

/** How long an announcement stays in the page: long enough for a screen reader to read it, and then removed from browsing. */
const ANNOUNCED_MS = 1_000;

/** A widget: the current screen in a card. Requires `adoptStyles` on its root. */
export function Widget({ model, config, styles, strings: own, language: asked, onUse, takesFocus }: Props) {
  const live = useRef<HTMLOutputElement>(null);
  const shown = useRef<string | null>(takesFocus === true ? '' : null);
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
    const from = shown.current;
    shown.current = screen;
    return from !== null && from !== screen;
  }, []);

  const spoken = useLanguage(asked ?? 'en', model.clock);
  const language = spoken ?? 'en';
  const isOurs = asked !== undefined || own === undefined;
  const layout = useMemo(() => mainLayout(config), [config]);
  const tools = useMemo<WidgetTools>(() => {
    const strings = overLocale(language, own);
    return { model, config, layout, styles, strings, language, t: makeTranslate(strings), announce, arrive, onUse };
  }, [model, config, layout, styles, own, language, announce, arrive, onUse]);

  return (
    <WidgetContext.Provider value={tools}>
      <div
        data-portico=""
        data-state={spoken === null ? 'waiting' : 'ready'}
        lang={isOurs ? language : undefined}
        dir={isOurs ? directionOf(language) : undefined}
      >
        <ErrorBoundary>
          <WidgetBody />
        </ErrorBoundary>
        <output ref={live} data-part="announcer" aria-live="polite" />
      </div>
    </WidgetContext.Provider>
  );
}
