import { useCallback, useEffect, useRef, type RefObject } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { CALLING_CODES } from '#domain/contacts/calling-codes.ts';
import { configuredCountry } from '#domain/contacts/phone.ts';
import { withoutCallingCode } from '#domain/contacts/phone-number.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import type { PhoneHelpProps } from '../parts.ts';
import { countryName } from './country-name.ts';
import { CountryPicker } from './CountryPicker.tsx';

const isFocused = (element: HTMLElement): boolean =>
  (element.getRootNode() as Document | ShadowRoot).activeElement === element;

/** Opens a list from its button like a native list: with the arrow keys, and by typing the search text. */
function useOpeningKeys(button: RefObject<HTMLElement | null>, open: (search: string) => void): void {
  useEffect(() => {
    const element = button.current;
    const press = (event: KeyboardEvent): void => {
      const { key } = event;
      const arrow = key === 'ArrowDown' || key === 'ArrowUp';
      const isPrintable = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!arrow && !isPrintable) return;
      event.preventDefault();
      open(isPrintable ? key : '');
    };
    element?.addEventListener('keydown', press);
    return () => element?.removeEventListener('keydown', press);
  }, [button, open]);
}

/**
 * Helps to enter a phone number: loads the tables when the field gets the focus, formats the number nationally while the caret is at
 * its end, and offers a list of countries.
 */
export function PhoneHelp(props: PhoneHelpProps) {
  const { form, phone, country, entry, setTyped, onEdit, off, invalid, search, setSearch } = props;
  const { model, config, language, t, announce } = useWidget();
  const { national, edit } = entry;
  const field = (): HTMLInputElement | null => form.current?.querySelector('input[type=tel]') ?? null;
  const button = useRef<HTMLElement>(null);
  const deleting = useRef(false);
  const asking = useRef((): void => undefined);
  const announceCountry = (one: string): void =>
    announce(
      t('phone.country', { country: countryName(one, language), code: `${one} +${CALLING_CODES.get(one) ?? ''}` }),
    );

  useEffect(() => {
    asking.current = () => {
      onEdit?.({ edit, country, national });
      model.send({ type: 'phone/edited', edit, country, national });
    };
  });
  useEffect(() => {
    if (edit > 0) asking.current();
  }, [edit]);

  useEffect(() => {
    const input = field();
    button.current = form.current?.querySelector('[data-part=country]') ?? null;
    if (input === null) return undefined;
    const typing = (event: Event): void => {
      deleting.current = ((event as InputEvent).inputType ?? '').startsWith('delete');
    };
    const visit = (): void => {
      deleting.current = false;
      asking.current();
    };
    if (isFocused(input)) visit();
    // On the input itself, so that it runs before React's listener, which is on an outer element.
    input.addEventListener('input', typing);
    input.addEventListener('focus', visit);
    input.addEventListener('blur', visit);
    return () => {
      input.removeEventListener('input', typing);
      input.removeEventListener('focus', visit);
      input.removeEventListener('blur', visit);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the field stays the same for as long as this does
  }, [form]);
  const open = useCallback(
    (text: string): void => {
      if (!off) setSearch(text);
    },
    [off, setSearch],
  );
  useOpeningKeys(button, open);

  useBeforePaint(() => {
    if (invalid) field()?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- the field is where the form is
  }, [invalid]);

  const formatted = phone?.edit === edit ? phone.formatted : null;
  useEffect(() => {
    const input = field();
    if (formatted === null || input === null) return;
    const own = formatted.country ?? country;
    if (own !== country) announceCountry(own);
    // Formatting must not move the caret or bring back deleted characters.
    const atEnd = !deleting.current && input.selectionStart === input.value.length;
    const text = atEnd || !isFocused(input) ? formatted.text : national;
    if (own === country && text === national) return;
    // An edit after the answer is newer.
    setTyped((now) => (now.edit === edit ? { country: own, national: text, edit } : now));
    // oxlint-disable-next-line react/exhaustive-deps -- each answer is taken in once
  }, [formatted]);

  const close = useCallback(
    (refocus: boolean): void => {
      setSearch(null);
      if (refocus) button.current?.focus();
    },
    [setSearch],
  );
  const choose = (one: string): void => {
    close(false);
    announceCountry(one);
    const text = withoutCallingCode(national, CALLING_CODES.get(country) ?? '');
    setTyped((now) => ({ country: one, national: text, edit: now.edit + 1 }));
    // The next input is the number.
    field()?.focus();
  };

  if (search === null) return null;
  const likely = configuredCountry(config);
  return (
    <CountryPicker
      {...{ search, likely, button }}
      selection={country}
      onSearch={setSearch}
      onClose={close}
      onChoose={choose}
    />
  );
}
