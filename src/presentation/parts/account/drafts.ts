import { createContext, useContext, useRef, type FocusEvent } from 'react';
import type { AccountSection } from '#domain/account/account.ts';

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

/** Determines whether a form has unsaved text: one that differs from when its field first had the focus. */
export function useTypedTexts() {
  const began = useRef(new WeakMap<Element, string>());
  return {
    onFocus: ({ target }: FocusEvent): void => {
      const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (isField && !began.current.has(target)) began.current.set(target, target.value);
    },
    isTyped: (form: Element): boolean =>
      [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')].some(
        (field) => field.value !== (began.current.get(field) ?? field.value),
      ),
  };
}
