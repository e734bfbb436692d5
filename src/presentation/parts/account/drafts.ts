import { createContext, useContext } from 'react';
import type { EnteredPhone } from '../../../domain/contacts/phone.ts';

/**
 * What was typed into forms that another form replaced, by the name of the field. It lives as long as the page, and never holds a
 * password or a code.
 */
export interface Drafts {
  readonly texts: Map<string, string>;
  phone: EnteredPhone | null;
}

export const makeDrafts = (): Drafts => ({ texts: new Map(), phone: null });

export const DraftsContext = createContext<Drafts>(makeDrafts());

export const useDrafts = (): Drafts => useContext(DraftsContext);

/** Forgets what was typed: it was saved, or the user closed its form. */
export function forget(drafts: Drafts, names: readonly string[]): void {
  for (const name of names) drafts.texts.delete(name);
}
