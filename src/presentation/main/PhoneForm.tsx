import { useRef, useState, type SyntheticEvent } from 'react';
import {
  configuredCountry,
  DEFAULT_CALLING_CODE,
  DEFAULT_COUNTRY,
  type EnteredPhone,
  type PhoneMethod,
} from '#domain/contacts/phone.ts';
import type { AuthError } from '#domain/errors.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { usePart, type TypedPhone } from '../parts/parts.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from '../components/Button.tsx';
import { Unloaded } from '../components/Unloaded.tsx';
import { ErrorText } from '../components/ErrorBanner.tsx';
import { Icon } from '../components/Icon.tsx';
import { TextField } from '../components/TextField.tsx';

interface Props {
  readonly method: PhoneMethod;
  readonly initial: EnteredPhone | undefined;
  readonly phone: ScreenState['phone'];
  /** The form's own request is in progress. */
  readonly busy: boolean;
  /** Any request is in progress. */
  readonly off: boolean;
  /** The server refused the number. */
  readonly error: AuthError | null;
  readonly onSubmit: (entry: TypedPhone) => void;
  /** Called with each edit, and when the field gets or loses the focus, before the number is formatted. */
  readonly onEdit?: (entry: TypedPhone) => void;
}

/**
 * The form with a phone number and its country (specification, section 5). The part `phones` adds formatting and the list of
 * countries when it is loaded, without moving the layout.
 */
export function PhoneForm({ method, initial, phone, busy, off, error, onSubmit, onEdit }: Props) {
  const { id: prefix, config, language, loadPart, t } = useWidget();
  const id = `${prefix}p`;
  const part = usePart('phones');
  const [entry, setTyped] = useState<TypedPhone>({
    country: configuredCountry(config),
    national: '',
    ...initial,
    edit: 0,
  });
  /** The search text of the open list of countries; null while it is closed. */
  const [search, setSearch] = useState<string | null>(null);
  /** The code of the list of countries, and of the text for a wrong number, could not be loaded. */
  const [isMissing, setMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const country = part?.knownCountry(entry.country) ?? entry.country;
  const code = part?.callingCodes.get(country) ?? (country === DEFAULT_COUNTRY ? DEFAULT_CALLING_CODE : '');
  const isWrong = !off && phone?.edit === entry.edit && phone.invalid;
  const invalid = isWrong || error !== null;

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    // Some browsers fill in a number without an event.
    const national = field.current?.value ?? '';
    const entered = { country, national, edit: entry.edit + Number(national !== entry.national) };
    setTyped(entered);
    loadPart('phones').catch(() => setMissing(true));
    onSubmit(entered);
  };
  const open = (): void => {
    if (off) return;
    setSearch(search === null ? '' : null);
    loadPart('phones').catch(() => setMissing(true));
  };

  return (
    <form ref={form} method="dialog" data-part="form" noValidate onSubmit={submit}>
      <label data-part="label" htmlFor={id}>
        {t('phone.label')}
      </label>
      <div data-part="phone" dir="ltr">
        <button
          type="button"
          data-part="country"
          aria-haspopup="dialog"
          aria-expanded={!!part && search !== null}
          aria-label={t('phone.country', {
            country: part?.countryName(country, language) ?? country,
            // Begins with the visible text, which is the country's code if the fonts have no flags.
            code: `${country} +${code}`,
          })}
          onClick={open}
        >
          <span data-part="flag" aria-hidden="true">
            {part?.flagOf(country)}
          </span>
          <span>{code && ` +${code}`}</span>
          <Icon name="expand" />
        </button>
        <TextField
          field={field}
          id={id}
          data-focus={initial && ''}
          invalid={invalid}
          type="tel"
          name="phone"
          required
          autoComplete="tel-national"
          placeholder={t('phone.placeholder')}
          aria-describedby={`${id}-error`}
          readOnly={off}
          value={entry.national}
          onText={(national) => setTyped(({ edit }) => ({ country, national, edit: edit + 1 }))}
        />
      </div>
      {part && (
        <part.PhoneHelp {...{ form, phone, country, entry, setTyped, onEdit, off, invalid, search, setSearch }} />
      )}
      <p data-part="field-error" id={`${id}-error`} role="alert">
        {isMissing && !part && !off ? (
          <Unloaded t={t} />
        ) : isWrong ? (
          part && <span>{t('phone.invalid')}</span>
        ) : (
          error && <ErrorText error={error} />
        )}
      </p>
      <Button look="primary" type="submit" busy={busy} off={off && !busy}>
        {t(`phone.continue.${method}`)}
      </Button>
    </form>
  );
}
