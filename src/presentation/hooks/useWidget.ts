import { createContext, useCallback, useContext, useMemo } from 'react';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import type { Language } from '#domain/widget/language.ts';
import type { MainLayout } from '#domain/screens/main-layout.ts';
import type { Bootstrap } from '#domain/project/bootstrap.ts';
import type { ScreenState, WidgetState } from '#domain/screens/widget-state.ts';
import type { StyleConfig } from '#domain/widget/theme.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { useStore, type PartName } from '../parts/parts.ts';
import type { StringOverrides, Translate } from '../messages/catalogue.ts';

/** The tools for all screens of one widget. */
export interface WidgetTools {
  /** The prefix of the ids of the first screen's elements. */
  readonly id: string;
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
  /** Loads the screens of a login method. After a failure, the next call tries again. */
  readonly loadPart: (name: PartName) => Promise<void>;
  /** Announces a text to screen readers, politely. */
  readonly announce: (text: string) => void;
  /** Must be called when a screen is shown. Returns true if another screen was shown before it. */
  readonly arrive: (screen: string) => boolean;
  /** Called when the user may be about to use the widget. */
  readonly onUse: (() => void) | undefined;
  /** The widget replaces an element that had the focus. Its code may arrive long after that. */
  readonly takesFocus: boolean | undefined;
  /** Changes when the widget moves into another document or shadow root, for effects that depend on these. */
  readonly moves: number | undefined;
}

export const WidgetContext = createContext<WidgetTools | null>(null);

export function useWidget(): WidgetTools {
  const tools = useContext(WidgetContext);
  if (tools === null) throw new Error('A screen was rendered outside a widget.');
  return tools;
}

/** The result of `read` on the widget's state. Renders again when the result changes. */
function useRead<T>(model: WidgetModel, read: (state: WidgetState) => T): T {
  const subscribe = useCallback(
    (changed: () => void) => {
      const subscription = model.state$.subscribe(changed);
      return () => subscription.unsubscribe();
    },
    [model],
  );
  return useStore(subscribe, () => read(model.getState()));
}

/** Returns the latest state with a change other than the project's settings. */
function screenStates(): (state: WidgetState) => ScreenState {
  let latest: WidgetState | undefined;
  return (state) => {
    const isSame = (key: string): boolean =>
      key === 'bootstrap' || state[key as keyof WidgetState] === latest?.[key as keyof WidgetState];
    if (!latest || !Object.keys(state).every(isSame)) latest = state;
    return latest;
  };
}

/** The state that screens show. Renders again on every change of it. */
export function useScreenState(model: WidgetModel): ScreenState {
  return useRead(
    model,
    useMemo(() => screenStates(), []),
  );
}

/** The project's settings. Renders again when they arrive. */
export function useBootstrap(): Bootstrap {
  return useRead(useWidget().model, ({ bootstrap }) => bootstrap);
}
