import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { WidgetModel } from '../../application/widget/widget-model.ts';
import type { Language } from '../../domain/language.ts';
import type { MainLayout } from '../../domain/screens/main-layout.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import type { StyleConfig } from '../../domain/theme.ts';
import type { LoginConfig } from '../../domain/widget-config.ts';
import type { StringOverrides, Translate } from '../messages/catalogue.ts';

/** The tools for all screens of one widget. */
export interface WidgetTools {
  readonly model: WidgetModel;
  readonly config: LoginConfig;
  /** The layout of the first screen, computed from `config`. */
  readonly layout: MainLayout;
  readonly styles: StyleConfig | undefined;
  /** The texts that replace the built-in English: those of the language, overridden by the host's own. */
  readonly strings: StringOverrides;
  /** The displayed language. */
  readonly language: Language;
  readonly t: Translate;
  /** Announces a text to screen readers, politely. */
  readonly announce: (text: string) => void;
  /** Must be called when a screen shows. Returns true when another screen was shown before it. */
  readonly arrive: (screen: string) => boolean;
  /** Called when a person may be about to use the widget. */
  readonly onUse: (() => void) | undefined;
}

export const WidgetContext = createContext<WidgetTools | null>(null);

export function useWidget(): WidgetTools {
  const tools = useContext(WidgetContext);
  if (tools === null) throw new Error('A screen was rendered outside a widget.');
  return tools;
}

/** The widget's current state. Renders again on every change. */
export function useWidgetState(model: WidgetModel): WidgetState {
  const subscribe = useCallback(
    (changed: () => void) => {
      const subscription = model.state$.subscribe(changed);
      return () => subscription.unsubscribe();
    },
    [model],
  );
  const getState = useCallback(() => model.getState(), [model]);
  return useSyncExternalStore(subscribe, getState);
}
