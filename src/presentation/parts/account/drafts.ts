import { createContext, useContext } from 'react';
import type { AccountSection } from '../../../domain/account/account.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * Unsaved texts of forms that another form replaced, by section and field. They last as long as the page, and never include a password or a
 * code.
 */
export class Drafts {
  private readonly sections = new Map<AccountSection, Texts>();

  of(section: AccountSection): Partial<Texts> {
    return this.sections.get(section) ?? {};
  }

  keep(section: AccountSection, texts: Texts): void {
    this.sections.set(section, { ...this.sections.get(section), ...texts });
  }

  /** Deletes the texts of a section, because they were saved, or the user closed its form. */
  forget(section: AccountSection): void {
    this.sections.delete(section);
  }
}

export const DraftsContext = createContext<Drafts | null>(null);

export function useDrafts(): Drafts {
  const drafts = useContext(DraftsContext);
  if (drafts === null) throw new Error('A form was rendered outside the account page.');
  return drafts;
}
