import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react';
import type { WidgetModel } from '../application/widget/widget-model.ts';
import type { StyleConfig } from '../domain/theme.ts';
import type { LoginConfig } from '../domain/widget-config.ts';
import { ErrorBoundary } from './components/ErrorBoundary.tsx';
import { WidgetBody } from './components/WidgetBody.tsx';
import { WidgetContext, type WidgetTools } from './hooks/useWidget.ts';
import type { StringOverrides } from './messages/catalogue.ts';
import { makeTranslate } from './messages/translate.ts';
import { Failure } from './screens/Failure.tsx';

interface Props {
  readonly model: WidgetModel;
  readonly config: LoginConfig;
  readonly styles?: StyleConfig | undefined;
  readonly strings?: StringOverrides | undefined;
  readonly language?: string | undefined;
}

/** Long enough for a screen reader to take the text up, short enough not to be found later by one who browses. */
const ANNOUNCED_MS = 1_000;

function showFailure(retry: () => void): ReactNode {
  return <Failure retry={retry} />;
}

/** The login widget: the state's screen in a card. Looks right where `adoptStyles` has been called on its root. */
export function Widget({ model, config, styles, strings }: Props) {
  const live = useRef<HTMLOutputElement>(null);
  const shown = useRef<string | null>(null);
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

  const tools = useMemo<WidgetTools>(
    () => ({ model, config, styles, strings, t: makeTranslate(strings), announce, arrive }),
    [model, config, styles, strings, announce, arrive],
  );

  return (
    <WidgetContext.Provider value={tools}>
      <div data-portico="">
        <ErrorBoundary fallback={showFailure}>
          <WidgetBody />
        </ErrorBoundary>
        <output ref={live} data-part="announcer" aria-live="polite" />
      </div>
    </WidgetContext.Provider>
  );
}
