import { createContext, useContext } from 'react';
import type { EnteredPhone } from '../../../domain/contacts/phone.ts';

/**
 * What was typed into forms that another form replaced. It lives as long as the page, and never holds a password or a code.
 */
export class Drafts {
  private readonly texts = new Map<string, string>();
  private number: EnteredPhone | null = null;

  text(field: string): string | undefined {
    return this.texts.get(field);
  }

  keepText(field: string, text: string): void {
    this.texts.set(field, text);
  }

  phone(): EnteredPhone | null {
    return this.number;
  }

  keepPhone(number: EnteredPhone): void {
    this.number = number;
  }

  /** Forgets what was typed: it was saved, or the user closed its form. */
  forget(...fields: readonly string[]): void {
    for (const field of fields) {
      if (field === 'phone') this.number = null;
      this.texts.delete(field);
    }
  }
}

export const DraftsContext = createContext(new Drafts());

export const useDrafts = (): Drafts => useContext(DraftsContext);
