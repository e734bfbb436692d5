/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no native list has a search of its own */
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { TextField } from '../../components/TextField.tsx';
import { onEscape } from '../../hooks/escape.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { countriesFound, countriesIn } from './countries.ts';
import { CountryOption } from './CountryOption.tsx';

interface Props {
  readonly selection: string;
  /** The country at the head of the list. */
  readonly likely: string;
  readonly search: string;
  /** The button that opened the list: a press on it does not count as a press outside. */
  readonly button: RefObject<HTMLElement | null>;
  readonly onSearch: (text: string) => void;
  readonly onChoose: (country: string) => void;
  readonly onClose: (refocus: boolean) => void;
}

const PAGE = 6;

/** A searchable list of countries (WAI-ARIA combobox pattern, list always open). The focus stays in the search field. */
export function CountryPicker({ selection, likely, search, button, onSearch, onChoose, onClose }: Props) {
  const { t, language } = useWidget();
  const all = useMemo(() => countriesIn(language, likely), [language, likely]);
  const found = useMemo(() => countriesFound(all, search), [all, search]);
  const [active, setActive] = useState(selection);
  const root = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useOwnId();
  const at = found.findIndex(({ country }) => country === active);
  const index = at < 0 ? 0 : at;
  const current = found[index]?.country;

  // A stable callback, so that the lines do not render again.
  const choosing = useRef(onChoose);
  useEffect(() => {
    choosing.current = onChoose;
  });
  const choose = useCallback((country: string) => choosing.current(country), []);

  useBeforePaint(() => {
    const { current: input } = field;
    input?.focus();
    // Puts the caret after the letter that opened the list; some browsers put it before.
    input?.setSelectionRange(input.value.length, input.value.length);
    root.current?.scrollIntoView?.({ block: 'nearest' });
  }, []);

  const isPressOwn = useRef(false);
  useEffect(() => {
    const element = root.current;
    const page = element?.ownerDocument;
    const isOwn = (event: PointerEvent): boolean => {
      const path = event.composedPath();
      return [element, button.current].some((own) => own !== null && path.includes(own));
    };
    // A selection of the typed text can end outside.
    const begin = (event: PointerEvent): void => {
      isPressOwn.current = isOwn(event);
    };
    const end = (event: PointerEvent): void => {
      if (!isPressOwn.current && !isOwn(event)) onClose(false);
    };
    const leave = ({ relatedTarget: to }: FocusEvent): void => {
      if (to !== null && to !== button.current && element?.contains(to as Node) === false) onClose(false);
    };
    page?.addEventListener('pointerdown', begin);
    page?.addEventListener('pointerup', end);
    element?.addEventListener('focusout', leave);
    return () => {
      page?.removeEventListener('pointerdown', begin);
      page?.removeEventListener('pointerup', end);
      element?.removeEventListener('focusout', leave);
    };
  }, [button, onClose]);

  useEffect(() => {
    const box = list.current;
    const option = box?.children[index] as HTMLElement | undefined;
    if (!box || !option) return;
    const { offsetTop: top, offsetHeight: height } = option;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
  }, [index, found]);

  const press = (event: KeyboardEvent): void => {
    const last = found.length - 1;
    const to = {
      ArrowDown: index === last ? 0 : index + 1,
      ArrowUp: index === 0 ? last : index - 1,
      PageDown: Math.min(last, index + PAGE),
      PageUp: Math.max(0, index - PAGE),
      Home: 0,
      End: last,
    }[event.key];
    if (to !== undefined) setActive(found[to]?.country ?? selection);
    else if (event.key === 'Enter') {
      if (current !== undefined) onChoose(current);
    } else return onEscape(event, () => onClose(true));
    return event.preventDefault();
  };

  return (
    <dialog ref={root} open data-part="countries" aria-label={t('country.choose')}>
      <TextField
        field={field}
        role="combobox"
        type="text"
        aria-label={t('country.search')}
        placeholder={t('country.search')}
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={current && `${id}-${current}`}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        value={search}
        onKeyDown={press}
        onText={(text) => {
          setActive('');
          onSearch(text);
        }}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        tabIndex={-1}
        aria-label={t('country.choose')}
        hidden={found.length === 0}
      >
        {found.map((one) => (
          <CountryOption
            key={one.country}
            id={`${id}-${one.country}`}
            one={one}
            active={one.country === current}
            isSelected={one.country === selection}
            onChoose={choose}
          />
        ))}
      </div>
      <output>{found.length === 0 && t('country.none')}</output>
    </dialog>
  );
}
