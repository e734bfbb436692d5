import { useEffect, useState, type RefObject } from 'react';
import { typedEmail } from '#domain/contacts/email.ts';
import { betterEmail } from './email-hint.ts';
import { enter } from './enter.ts';
import { splitEmail } from '#domain/contacts/international-domain.ts';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { piecesOf, wordsOf } from '../../messages/catalogue.ts';

/** The pause after the last key until the address counts as complete. */
const PAUSE_MS = 600;

/** The addresses for which each widget has shown the hint. An address that the user keeps is intended. */
const doubted = new WeakMap<WidgetModel, Set<string>>();

/**
 * Chromium converts the domain in an email field to A-labels by the IDNA 2003 rules, which map ß to ss and ς to σ and so change the
 * domain. A text field keeps the address unchanged.
 */
function keepLetters(input: HTMLInputElement): void {
  if (input.type !== 'email') return;
  input.inputMode = 'email';
  input.type = 'text';
  // The change of the type resets the caret.
  input.setSelectionRange(input.value.length, input.value.length);
}

/**
 * "Did you mean ada@gmail.com?", a button that corrects the address of the field. It shows after a pause in typing, once for each
 * address, unless the pointer is on the button that it would move.
 */
export function EmailHint({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
  const { model, strings, t, announce } = useWidget();
  const [better, setBetter] = useState<string | null>(null);

  useEffect(() => {
    const input = field.current;
    if (input === null) return undefined;
    const hintedEmails = doubted.get(model) ?? new Set();
    doubted.set(model, hintedEmails);
    let currentEmail: string | null = null;
    let cancel = (): void => {};
    const look = (): void => {
      cancel();
      const email = typedEmail(input.value);
      if (email === currentEmail || hintedEmails.has(email)) return;
      const hint = betterEmail(email);
      // Nothing may move away from under the pointer.
      if (hint === null || input.form?.querySelector('[type=submit]:hover')) return;
      currentEmail = email;
      hintedEmails.add(email);
      setBetter(hint);
      announce(t('email.didYouMean', { email: hint }));
    };
    const edited = (event?: Event): void => {
      cancel();
      if ((event as InputEvent | undefined)?.isComposing) return;
      if (typedEmail(input.value) !== currentEmail) {
        currentEmail = null;
        setBetter(null);
      }
      cancel = model.clock.after(PAUSE_MS, look);
    };
    const before = ({ data, dataTransfer, isComposing }: InputEvent): void => {
      const text = data ?? dataTransfer?.getData('text/plain') ?? '';
      if (!isComposing && /[ßς]/iu.test(text) && (input.value + text).includes('@')) keepLetters(input);
    };
    // A change of the type would end a composition, and the input method would enter its text again.
    const begin = (): void => {
      if (input.value.includes('@')) keepLetters(input);
    };
    input.addEventListener('beforeinput', before);
    input.addEventListener('compositionstart', begin);
    input.addEventListener('input', edited);
    input.addEventListener('compositionend', edited);
    input.addEventListener('blur', look);
    // Checks an address that was entered before this code was loaded. An address that is still being typed may be incomplete.
    if (input.matches(':focus')) edited();
    else look();
    return () => {
      cancel();
      input.removeEventListener('beforeinput', before);
      input.removeEventListener('compositionstart', begin);
      input.removeEventListener('input', edited);
      input.removeEventListener('compositionend', edited);
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
    // The name is one text, because screen readers would pause between separate pieces.
    <button type="button" data-part="email-hint" aria-label={t('email.didYouMean', { email: better })} onClick={take}>
      {piecesOf(wordsOf('email.didYouMean', strings), { email: better }).map(({ text, isValue }, index) =>
        isValue ? (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
          <bdi key={index} dir="ltr" translate="no">
            <span>{local}</span>
            <span>{`@${domain}`}</span>
          </bdi>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
          <span key={index}>{text}</span>
        ),
      )}
    </button>
  );
}
