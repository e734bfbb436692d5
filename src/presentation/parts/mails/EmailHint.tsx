import { useEffect, useState, type RefObject } from 'react';
import { typedEmail } from '../../../domain/contacts/email.ts';
import { betterEmail } from './email-hint.ts';
import { splitEmail } from '../../../domain/contacts/international-domain.ts';
import type { WidgetModel } from '../../../application/widget/widget-model.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { piecesOf, wordsOf } from '../../messages/catalogue.ts';

/** So long after the last key the typed address is taken to be whole. */
const PAUSE_MS = 600;

/** The addresses that each widget has already doubted: whoever keeps one of them means it. */
const doubted = new WeakMap<WidgetModel, Set<string>>();

/** Enters a text as a person does, so that the form hears of it. */
function enter(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Chromium turns the domain of an email field into A-labels by rules of 2003, which make ß an ss and ς a σ: another domain. A
 * text field leaves the address as it is.
 */
function keepLetters(input: HTMLInputElement, { data, dataTransfer }: InputEvent): void {
  const text = data ?? dataTransfer?.getData('text/plain') ?? '';
  if (input.type !== 'email' || !/[ßς]/iu.test(text) || !(input.value + text).includes('@')) return;
  input.inputMode = 'email';
  input.type = 'text';
  // The field forgets where the caret was.
  input.setSelectionRange(input.value.length, input.value.length);
}

/**
 * "Did you mean ada@gmail.com?", a button that corrects the address of the field. It is shown when typing pauses, in the place of
 * the field's error, so that it moves nothing, and once for each address.
 */
export function EmailHint({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
  const { model, strings, t, announce } = useWidget();
  const [better, setBetter] = useState<string | null>(null);

  useEffect(() => {
    const input = field.current;
    if (input === null) return undefined;
    const seen = doubted.get(model) ?? new Set();
    doubted.set(model, seen);
    let shown: string | null = null;
    let cancel = (): void => {};
    const look = (): void => {
      cancel();
      const email = typedEmail(input.value);
      if (email === shown || seen.has(email)) return;
      const hint = betterEmail(email);
      if (hint === null) return;
      shown = email;
      seen.add(email);
      setBetter(hint);
      announce(t('email.didYouMean', { email: hint }));
    };
    const edited = (): void => {
      cancel();
      if (typedEmail(input.value) !== shown) {
        shown = null;
        setBetter(null);
      }
      cancel = model.clock.after(PAUSE_MS, look);
    };
    const before = (event: InputEvent): void => keepLetters(input, event);
    input.addEventListener('beforeinput', before);
    input.addEventListener('input', edited);
    input.addEventListener('blur', look);
    // An address that was there before this code; one that is being typed may not be whole.
    if (input.matches(':focus')) edited();
    else look();
    return () => {
      cancel();
      input.removeEventListener('beforeinput', before);
      input.removeEventListener('input', edited);
      input.removeEventListener('blur', look);
    };
  }, [field, model, announce, t]);

  if (better === null) return null;
  const take = (): void => {
    const input = field.current;
    if (input === null) return;
    enter(input, better);
    input.focus();
  };
  const [local, domain] = splitEmail(better);
  return (
    // The name is one text: screen readers would pause between the pieces that are laid out apart.
    <button type="button" data-part="email-hint" aria-label={t('email.didYouMean', { email: better })} onClick={take}>
      {piecesOf(wordsOf('email.didYouMean', strings), { email: better }).map(({ text, isValue }, index) =>
        isValue ? (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
          <bdi key={index} dir="ltr">
            <span>{local}</span>
            <span>@{domain}</span>
          </bdi>
        ) : (
          text
        ),
      )}
    </button>
  );
}
