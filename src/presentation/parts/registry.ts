import type { ComponentType } from 'react';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { addTexts } from '../messages/catalogue.ts';
import { addStyles } from '../theme/stylesheet.ts';
import { PART_OF, type LazyScreenName, type PartName, type Parts } from './parts.ts';

/** The loaded parts, shared by all widgets of a page. */
const arrived: { -readonly [Name in PartName]?: Parts[Name] } = {};
const listeners = new Set<() => void>();

/** A loaded part, or null. */
export function partOf<Name extends PartName>(name: Name): Parts[Name] | null {
  return arrived[name] ?? null;
}

/** Adds a part with its texts and styles, and notifies the widgets of the page. */
export function addPart(name: PartName, part: Parts[PartName]): void {
  if (arrived[name]) return;
  if ('login' in part) addPart('login', part.login);
  addTexts(part.texts);
  for (const css of part.styles) addStyles(css);
  arrived[name] = part as never;
  for (const listener of listeners) listener();
}

/** Calls back when a part is loaded. Returns a function that unsubscribes. */
export function onArrival(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export type AnyScreen = ComponentType<{ readonly screen: unknown; readonly state: WidgetState }>;

/** The component of a screen, or null until its part is loaded. */
export function lazyScreen(name: LazyScreenName): AnyScreen | null {
  const screens = partOf(PART_OF[name])?.screens as Readonly<Partial<Record<LazyScreenName, unknown>>> | undefined;
  return (screens?.[name] as AnyScreen | undefined) ?? null;
}
