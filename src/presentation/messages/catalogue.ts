import { en } from './en.ts';
import { errorTexts } from './error-texts.ts';

/** Every text of the widget by its key. */
export const catalogue = { ...en, ...errorTexts } as const;

export type MessageKey = keyof typeof catalogue;
/** A host's own texts over ours. Placeholders are written as ours are: `{email}`. */
export type StringOverrides = Partial<Record<MessageKey, string>>;
