import { useEffect, useId, useRef, useState, type ChangeEvent, type FormEvent } from 'react';
import { SDKAPIUnreachableError } from '../../domain/errors.ts';
import { configuredCountry, DEFAULT_CALLING_CODE, DEFAULT_COUNTRY } from '../../domain/phone.ts';
import type { EnteredPhone, PhoneMethod } from '../../domain/phone.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { loadPart, partOf } from '../hooks/useParts.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { countryName } from '../messages/country-name.ts';
import { Button } from './Button.tsx';
import { CountryButton } from './CountryButton.tsx';
import { ErrorText } from './ErrorText.tsx';

interface Props {
  readonly method: PhoneMethod;
  readonly initial: EnteredPhone | undefined;
  readonly state: WidgetState;
}

/**
 * One field for a telephone number, and the country it is dialled in (specification, section 5). What is typed is
 * written in the national way while the caret stands at its end; what is no number is said here.
 */
export function PhoneForm({ method, initial, state: { phone, pending } }: Props) {
  const { model, config, language, t, announce } = useWidget();
  const late = partOf('phone');
  const [wanted, setWanted] = useState(initial?.country ?? configuredCountry(config));
  const [national, setNational] = useState(initial?.national ?? '');
  const [edit, setEdit] = useState(0);
  const [empty, setEmpty] = useState(false);
  const [trouble, setTrouble] = useState<SDKAPIUnreachableError | null>(null);
  /** What is searched for in the open list of countries; null while it is closed. */
  const [search, setSearch] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const deleting = useRef(false);
  const id = useId();

  const country = late && !late.CALLING_CODES.has(wanted) ? DEFAULT_COUNTRY : wanted;
  const codeOf = (one: string): string =>
    partOf('phone')?.CALLING_CODES.get(one) ?? (one === DEFAULT_COUNTRY ? DEFAULT_CALLING_CODE : '');
  const told = (one: string): string =>
    t('phone.country', { country: countryName(one, language), code: `+${codeOf(one)}` });
  const known = phone?.edit === edit ? phone : null;
  const formatted = known?.formatted ?? null;
  const refused = pending === null && known?.invalid === true;

  useEffect(() => {
    if (refused) field.current?.focus();
  }, [refused]);

  useEffect(() => {
    const input = field.current;
    if (formatted === null || input === null) return;
    if (formatted.country !== null && formatted.country !== country) {
      setWanted(formatted.country);
      announce(told(formatted.country));
    }
    // Nobody's caret jumps, and what was deleted does not come back.
    const typing = (input.getRootNode() as Document | ShadowRoot).activeElement === input;
    if (!typing || (!deleting.current && input.selectionStart === input.value.length)) setNational(formatted.text);
    // oxlint-disable-next-line react/exhaustive-deps -- each answer is taken in once
  }, [formatted]);

  const enter = (text: string, from: string): void => {
    setNational(text);
    setEdit(edit + 1);
    setEmpty(false);
    model.send({ type: 'phone/edited', edit: edit + 1, country: from, national: text });
  };
  /** Brings the tables in when the field is come to, and tidies up when it is left. */
  const lookAgain = (): void => {
    deleting.current = false;
    model.send({ type: 'phone/edited', edit, country, national });
  };
  const open = async (text: string): Promise<void> => {
    if (pending !== null) return;
    setTrouble(null);
    try {
      await loadPart('phone');
      setSearch(text);
    } catch {
      setTrouble(new SDKAPIUnreachableError('network'));
    }
  };
  const close = (refocus: boolean): void => {
    setSearch(null);
    if (refocus) button.current?.focus();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (model.getState().pending !== null) return;
    setTrouble(null);
    if (/\p{Nd}/u.test(national)) model.send({ type: 'phone/requested', method, country, national, edit });
    else {
      setEmpty(true);
      field.current?.focus();
    }
  };

  return (
    <form data-part="form" noValidate onSubmit={submit}>
      <label data-part="label" htmlFor={id}>
        {t('phone.label')}
      </label>
      <div data-part="phone" dir="ltr">
        <CountryButton
          ref={button}
          country={country}
          code={codeOf(country)}
          label={told(country)}
          open={search !== null}
          onOpen={(text) => void open(text)}
          onClose={() => close(true)}
        />
        <input
          ref={field}
          id={id}
          data-part="input"
          data-state={empty || refused ? 'invalid' : 'valid'}
          type="tel"
          name="phone"
          dir="ltr"
          required
          autoComplete="tel-national"
          placeholder={t('phone.placeholder')}
          aria-invalid={empty || refused}
          aria-describedby={`${id}-error`}
          readOnly={pending !== null}
          value={national}
          onFocus={lookAgain}
          onBlur={lookAgain}
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            const { inputType = '' } = event.nativeEvent as Partial<InputEvent>;
            deleting.current = inputType.startsWith('delete');
            enter(event.currentTarget.value, country);
          }}
        />
      </div>
      <div data-part="layers">
        <div>
          <p data-part="field-error" id={`${id}-error`} role="alert">
            {empty || refused ? t('phone.invalid') : trouble && <ErrorText error={trouble} />}
          </p>
          <Button look="primary" type="submit" busy={pending !== null}>
            {t(`phone.continue.${method}`)}
          </Button>
        </div>
        {search !== null && late && (
          <late.CountryPicker
            chosen={country}
            likely={configuredCountry(config)}
            search={search}
            button={button}
            onSearch={setSearch}
            onClose={close}
            onChoose={(one) => {
              close(true);
              setWanted(one);
              announce(told(one));
              enter(late.withoutCallingCode(national, codeOf(country)), one);
            }}
          />
        )}
      </div>
    </form>
  );
}
