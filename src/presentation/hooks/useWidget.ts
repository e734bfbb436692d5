import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { WidgetModel } from '../../application/widget/widget-model.ts';
import type { Language } from '../../domain/language.ts';
import type { MainLayout } from '../../domain/screens/main-layout.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import type { StyleConfig } from '../../domain/theme.ts';
import type { LoginConfig } from '../../domain/widget-config.ts';
import type { StringOverrides, Translate } from '../messages/catalogue.ts';

/** What every screen of one widget has at hand. */
export interface WidgetTools {
  readonly model: WidgetModel;
  readonly config: LoginConfig;
  /** What the first screen shows by that configuration. */
  readonly layout: MainLayout;
  readonly styles: StyleConfig | undefined;
  /** The texts that replace the built-in English: the language's, and the host's own over them. */
  readonly strings: StringOverrides;
  /** The language that is spoken now. */
  readonly language: Language;
  readonly t: Translate;
  /** Announces a text to screen readers, politely. */
  readonly announce: (text: string) => void;
  /** To be called when a screen shows. True when another screen was shown before it. */
  readonly arrive: (screen: string) => boolean;
  /** To be called when somebody may be about to use the widget. */
  readonly onUse: (() => void) | undefined;
}

export const WidgetContext = createContext<WidgetTools | null>(null);

export function useWidget(): WidgetTools {
  const tools = useContext(WidgetContext);
  if (tools === null) throw new Error('A screen was rendered outside a widget.');
  return tools;
}

/** The widget's present state; renders again on every change. */
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
