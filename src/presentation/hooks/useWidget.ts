import { createContext, useContext } from 'react';
import type { WidgetModel } from '../../application/widget/widget-model.ts';
import type { Language } from '../../domain/language.ts';
import type { StyleConfig } from '../../domain/theme.ts';
import type { LoginConfig } from '../../domain/widget-config.ts';
import type { StringOverrides } from '../messages/catalogue.ts';
import type { Translate } from '../messages/translate.ts';

/** What every screen of one widget has at hand. */
export interface WidgetTools {
  readonly model: WidgetModel;
  readonly config: LoginConfig;
  readonly styles: StyleConfig | undefined;
  /** What is said in place of the built-in English: the language's texts, and the host's own over them. */
  readonly strings: StringOverrides;
  /** The language that is spoken now. */
  readonly language: Language;
  readonly t: Translate;
  /** Says it to a screen reader, once it has finished what it is saying. */
  readonly announce: (text: string) => void;
  /** Says that a screen shows; answers whether another one did before it. */
  readonly arrive: (screen: string) => boolean;
}

export const WidgetContext = createContext<WidgetTools | null>(null);

export function useWidget(): WidgetTools {
  const tools = useContext(WidgetContext);
  if (tools === null) throw new Error('A screen was rendered outside a widget.');
  return tools;
}
