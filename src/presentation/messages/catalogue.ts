import { en } from './en.ts';
import type { errorTexts } from './error-texts.ts';

/** Every text of the widget by its key, but for those of errors, which come later. */
export const catalogue = en;

export type MessageKey = keyof typeof en;
export type ErrorKey = keyof typeof errorTexts;
/** A host's own texts over ours. Placeholders are written as ours are: `{email}`. */
export type StringOverrides = Partial<Record<MessageKey | ErrorKey, string>>;
