import { fieldControl, isNameField, textIn, type ProfileField } from '#domain/sessions/profile.ts';
import { FieldFrame } from '../../components/FieldFrame.tsx';
import { Icon } from '../../components/Icon.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget, type WidgetTools } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';
import { NAME_COMPLETIONS } from '../name-fields.ts';
import type { ProfileEntryForm } from './profile-entry.ts';

/** The texts of the part that shows the fields: those of another part may not be loaded. */
type TextsOf = 'factor.profile' | 'account.details';

export const labelOf = (
  { field, label }: ProfileField,
  texts: TextsOf,
  { t, language }: Pick<WidgetTools, 't' | 'language'>,
): string => (isNameField(field) && label === null ? t(`${texts}.${field}`) : textIn(label ?? '', language));

/** The value as a person reads it: the label of an option. */
export function shownValue({ options }: ProfileField, value: string, language: string): string {
  const option = options?.find((each) => each.value === value);
  return option === undefined ? value : textIn(option.label, language);
}

interface Props {
  readonly texts: TextsOf;
  readonly fields: readonly ProfileField[];
  readonly entry: ProfileEntryForm;
  readonly isBusy: boolean;
  /** The text with which a field begins. */
  readonly valueOf: (field: ProfileField) => string;
  readonly onText?: (control: string, text: string) => void;
}

/** Labelled controls for the fields. The first one gets the focus when the form opens. */
export function ProfileFields({ texts, fields, entry, isBusy, valueOf, onText }: Props) {
  const tools = useWidget();
  const { t, language } = tools;
  const id = useOwnId();
  return fields.map((field, place) => {
    const name = fieldControl(field);
    const { required, options } = field;
    const problem = entry.problemOf(name);
    const label = labelOf(field, texts, tools);
    const edit = (text: string): void => {
      onText?.(name, text);
      entry.edited(name);
    };
    const shared = {
      id: `${id}-${name}`,
      name,
      required,
      defaultValue: valueOf(field),
      'aria-describedby': `${id}-${name}-error`,
      ...(place === 0 && { 'data-focus': '' }),
    };
    return (
      <FieldFrame
        key={name}
        quiet
        id={shared.id}
        label={required ? <bdi>{label}</bdi> : <Message id={`${texts}.optional`} values={{ label }} />}
        error={problem && <span>{t(`${texts}.${problem}`)}</span>}
      >
        {options === null ? (
          <TextField
            {...shared}
            invalid={problem !== null}
            dir="auto"
            maxLength={128}
            autoComplete={isNameField(field.field) ? NAME_COMPLETIONS[field.field] : undefined}
            spellCheck={false}
            readOnly={isBusy}
            onText={edit}
          />
        ) : (
          <span data-part="select">
            <select
              {...shared}
              data-part="input"
              data-state={problem === null ? 'valid' : 'invalid'}
              aria-invalid={problem !== null}
              disabled={isBusy}
              onChange={({ currentTarget }) => edit(currentTarget.value)}
            >
              <option value="">{t(`${texts}.choose`)}</option>
              {options.map(({ value, label: text }) => (
                <option key={value} value={value}>
                  {textIn(text, language)}
                </option>
              ))}
            </select>
            <Icon name="expand" />
          </span>
        )}
      </FieldFrame>
    );
  });
}
