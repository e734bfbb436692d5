import { useMemo } from 'react';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import type { Intent } from '#domain/screens/event.ts';
import type { WidgetState } from '#domain/screens/widget-state.ts';
import { useWidget, WidgetContext } from '../hooks/useWidget.ts';
import type { Elements } from '../elements.ts';

interface Props {
  /** The widget's state in the form that the other part's components expect. */
  readonly stateOf: (state: WidgetState) => WidgetState;
  /** Translates an intent of those components; null for one with the same meaning here. */
  readonly translated: (intent: Intent, state: WidgetState) => Intent | null;
  /** Called with each intent before it is translated. */
  readonly onIntent?: ((intent: Intent) => void) | undefined;
  readonly children: Elements;
}

/** Lets components of one part work in another part, whose state and intents have other names. */
export function LentWidget({ stateOf, translated, onIntent, children }: Props) {
  const tools = useWidget();
  const innerTools = useMemo(() => {
    const { model } = tools;
    const own: WidgetModel = {
      state$: model.state$,
      clock: model.clock,
      rules: model.rules,
      getState: () => stateOf(model.getState()),
      send: (intent) => {
        onIntent?.(intent);
        model.send(translated(intent, model.getState()) ?? intent);
      },
    };
    return { ...tools, model: own };
  }, [tools, stateOf, translated, onIntent]);
  return <WidgetContext.Provider value={innerTools}>{children}</WidgetContext.Provider>;
}
