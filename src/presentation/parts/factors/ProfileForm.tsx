import { useRef, useState, type SyntheticEvent } from 'react';
import {
  isNameField,
  textIn,
  type ProfileField,
  type ProfileStep,
  type ProfileTerms,
} from '#domain/sessions/profile.ts';
import { safeUrl } from '#domain/safe-url.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';
import { NAME_COMPLETIONS } from '../name-fields.ts';
import { FormFrame, type FormProps } from './FormFrame.tsx';

/** The names of the form's controls. */
const fieldName = ({ field }: ProfileField): string => `field-${field}`;
const termsName = ({ terms_id }: ProfileTerms): string => `terms-${terms_id}`;

/** What the project asks of its users: fields to fill in, and terms to accept. */
export function ProfileForm({ flow }: FormProps) {
  const { profile } = flow.step;
  return profile === undefined ? null : <ProfileFields key={profile.user_id} flow={flow} profile={profile} />;
}

function ProfileFields({ flow, profile }: FormProps & { readonly profile: ProfileStep }) {
  const { model, t } = useWidget();
  const id = useOwnId();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const isBusy = flow.at === 'working';
  const { error } = flow;
  const form = useRef<HTMLFormElement>(null);
  // A screen reader reads the text at the field, so the text is there first.
  useBeforePaint(() => {
    const [first] = missing;
    if (first !== undefined) (form.current?.elements.namedItem(first) as HTMLElement | null)?.focus();
  }, [missing]);
  const kind = profile.fields.length === 0 ? 'factor.profile.terms' : 'factor.profile';
  const [corrected, setCorrected] = useState<readonly string[]>([]);
  const isMissing = (name: string): boolean => missing.includes(name) && !corrected.includes(name);
  const edited = (name: string): void => {
    if (isMissing(name)) setCorrected([...corrected, name]);
    if (error !== null) model.send({ type: 'factor/edited' });
  };
  const send = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { elements } = event.currentTarget;
    const control = (name: string) => elements.namedItem(name) as HTMLInputElement;
    const values = profile.fields.map((field) => ({ field, value: control(fieldName(field)).value.trim() }));
    const empty = values
      .filter(({ field, value }) => field.required && value === '')
      .map(({ field }) => fieldName(field));
    const unaccepted = profile.terms.map(termsName).filter((name) => !control(name).checked);
    const names = [...empty, ...unaccepted];
    setCorrected([]);
    setMissing(names);
    if (names.length > 0) return;
    const fields = values.filter(({ value }) => value !== '').map(({ field: { field }, value }) => [field, value]);
    const terms = profile.terms.map(({ terms_id, version }) => [terms_id, version]);
    const entry = { fields: Object.fromEntries(fields), terms: Object.fromEntries(terms) };
    const request = { kind: 'profile', user_id: profile.user_id, ...entry } as const;
    model.send({ type: 'factor/asked', request });
  };
  return (
    <FormFrame flow={flow} title={t(`${kind}.title`)}>
      <p data-part="text">{t(`${kind}.text`)}</p>
      <form ref={form} data-part="form" noValidate onSubmit={send}>
        {profile.fields.map((field, place) => (
          <FieldRow
            key={field.field}
            id={`${id}-${fieldName(field)}`}
            field={field}
            isFirst={place === 0}
            isMissing={isMissing(fieldName(field))}
            isBusy={isBusy}
            onEdit={edited}
          />
        ))}
        {profile.terms.map((terms) => (
          <TermsRow
            key={`${terms.terms_id} ${terms.version}`}
            id={`${id}-${termsName(terms)}`}
            terms={terms}
            isMissing={isMissing(termsName(terms))}
            onEdit={edited}
          />
        ))}
        <p data-part="field-error" role="alert">
          {error !== null && <ErrorText error={error} />}
        </p>
        <Button look="primary" type="submit" busy={isBusy}>
          {t('factor.continue')}
        </Button>
      </form>
    </FormFrame>
  );
}

interface RowProps {
  readonly id: string;
  readonly isMissing: boolean;
  readonly isBusy: boolean;
  readonly onEdit: (name: string) => void;
}

function FieldRow({
  id,
  field,
  isFirst,
  isMissing,
  isBusy,
  onEdit,
}: RowProps & { readonly field: ProfileField; readonly isFirst: boolean }) {
  const { t, language } = useWidget();
  const name = fieldName(field);
  const { field: key } = field;
  const label =
    isNameField(key) && field.label === null ? t(`factor.profile.${key}`) : textIn(field.label ?? '', language);
  const shared = {
    id,
    name,
    required: field.required,
    'aria-describedby': `${id}-error`,
    ...(isFirst && { 'data-focus': '' }),
  };
  return (
    <>
      <label data-part="label" htmlFor={id}>
        {field.required ? <bdi>{label}</bdi> : <Message id="factor.profile.optional" values={{ label }} />}
      </label>
      {field.options === null ? (
        <TextField
          {...shared}
          invalid={isMissing}
          dir="auto"
          defaultValue={field.value}
          maxLength={128}
          autoComplete={isNameField(field.field) ? NAME_COMPLETIONS[field.field] : undefined}
          readOnly={isBusy}
          onText={() => onEdit(name)}
        />
      ) : (
        <select
          {...shared}
          data-part="input"
          data-state={isMissing ? 'invalid' : 'valid'}
          aria-invalid={isMissing}
          defaultValue={field.value}
          onChange={() => onEdit(name)}
        >
          <option value="">{t('factor.profile.choose')}</option>
          {field.options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      )}
      <p data-part="field-error" id={`${id}-error`}>
        {isMissing && <span>{t('factor.profile.required')}</span>}
      </p>
    </>
  );
}

/** A box for the acceptance, and a link to the text, which opens beside the login. */
function TermsRow({ id, terms, isMissing, onEdit }: Omit<RowProps, 'isBusy'> & { readonly terms: ProfileTerms }) {
  const { t, language } = useWidget();
  const name = termsName(terms);
  const title = textIn(terms.title, language);
  const url = safeUrl(terms.url);
  return (
    <>
      <div data-part="trust">
        <input
          id={id}
          name={name}
          type="checkbox"
          required
          aria-invalid={isMissing}
          aria-describedby={`${id}-error`}
          onChange={() => onEdit(name)}
        />
        <label htmlFor={id}>
          <Message id="factor.profile.accept" values={{ terms: title }} />
        </label>
        {url !== null && (
          <p data-part="details">
            <a href={url} target="_blank" rel="noopener noreferrer">
              <Message id="factor.profile.read" values={{ terms: title }} />
            </a>
          </p>
        )}
      </div>
      <p data-part="field-error" id={`${id}-error`}>
        {isMissing && <span>{t('factor.profile.mustAccept')}</span>}
      </p>
    </>
  );
}
