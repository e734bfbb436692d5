import { createElement, type ComponentType } from 'react';
import type { WidgetState } from '../domain/screens/widget-state.ts';
import { partOf } from './parts/loaders.ts';
import { Main } from './main/Main.tsx';
import { PART_OF, type LateScreenName } from './parts/part-names.ts';

type AnyScreen = ComponentType<{ readonly screen: unknown; readonly state: WidgetState }>;

/** A screen behind the first one, or null until its part has arrived. */
export function lateScreen(name: LateScreenName): AnyScreen | null {
  const screens = partOf(PART_OF[name])?.screens as Readonly<Partial<Record<LateScreenName, unknown>>> | undefined;
  return (screens?.[name] as AnyScreen | undefined) ?? null;
}

/** The component for the screen that the state names. */
export function CurrentScreen({ state }: { readonly state: WidgetState }) {
  const { screen } = state;
  if (screen.name === 'Main') return <Main screen={screen} state={state} />;
  const Late = lateScreen(screen.name);
  return Late && createElement(Late, { screen, state });
}
