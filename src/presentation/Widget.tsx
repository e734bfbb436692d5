import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { WidgetModel } from '../application/widget/widget-model.ts';
import { directionOf, type Language } from '../domain/language.ts';
import { mainLayout } from '../domain/screens/main-layout.ts';
import type { StyleConfig } from '../domain/theme.ts';
import type { LoginConfig } from '../domain/widget-config.ts';
import { ErrorBoundary } from './components/ErrorBoundary.tsx';
import { WidgetBody } from './WidgetBody.tsx';
import { useLanguage } from './messages/language.ts';
import { WidgetContext, type WidgetTools } from './hooks/useWidget.ts';
import type { StringOverrides } from './messages/catalogue.ts';
import { overLocale } from './messages/locale.ts';
import { makeTranslate } from './messages/translate.ts';

interface Props {
  readonly model: WidgetModel;
  readonly config: LoginConfig;
  readonly styles?: StyleConfig | undefined;
  readonly strings?: StringOverrides | undefined;
  /** English where left out; texts of the host's own may then be in any language, and run as the page does. */
  readonly language?: Language | undefined;
  /** Called when the page is idle, or before that when somebody is about to use the widget. */
  readonly onUse?: () => void;
  /** The widget replaces an element that had the focus, and takes the focus over. */
  readonly takesFocus?: boolean;
}

/** Long enough for a screen reader to take the text up, short enough not to be found later by one who browses. */
const ANNOUNCED_MS = 1_000;

/** The login widget: the state's screen in a card. Looks right where `adoptStyles` has been called on its root. */
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
