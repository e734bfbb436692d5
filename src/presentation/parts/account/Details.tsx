import { useState } from 'react';
import type { AccountPage } from '#domain/account/account.ts';
import { dataSettingsOf } from '#domain/account/data-settings.ts';
import { safeUrl } from '#domain/safe-url.ts';
import { isNameField, textIn, type ProfileField, type ProfileTerms } from '#domain/sessions/profile.ts';
import type { User } from '#domain/users/user.ts';
import { useTime } from '../../hooks/useTime.ts';
import { useBootstrap, useWidget, type WidgetTools } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';
import { NAME_COMPLETIONS } from '../name-fields.ts';
import { Action, buttonsOf, Choice, Field, TaskForm } from './controls.tsx';
import { useDrafts } from './drafts.ts';
import { ListState } from './ListState.tsx';
import { useRowFocus } from './row-focus.ts';
import { Section, taskOf, type SectionProps } from './Section.tsx';

const labelOf = ({ field, label }: ProfileField, { t, language }: WidgetTools): string =>
  isNameField(field) && label === null ? t(`account.details.${field}`) : textIn(label ?? '', language);

/** The name can also be changed elsewhere on the page. */
const valueOf = ({ field, value }: ProfileField, { name }: User): string =>
  isNameField(field) ? (name?.[field] ?? '') : value;

/** The fields and terms that the project asks its users for. Hidden if it asks for none, or the server has no such call. */
export function Details({ page }: SectionProps) {
  const { t } = useWidget();
  const settings = dataSettingsOf(useBootstrap().account);
  const { details } = page;
  const [profile] = details.status === 'known' ? details.items : [];
  const rows = useRowFocus(profile?.terms.filter(({ accepted_at }) => accepted_at === null).length);
  const isEmpty = details.status === 'known' && profile === undefined;
  if (settings?.asksProfile !== true || details.status === 'absent' || isEmpty) return null;
  const isOpen = taskOf(page)?.kind === 'details';
  return (
    <Section name="details" page={page}>
      <ListState list={details} title={t('account.details.title')} />
      {profile !== undefined && (
        <div {...rows} data-part="stack">
          {isOpen ? (
            <DetailsForm page={page} fields={profile.fields} />
          ) : (
            <Values fields={profile.fields} user={page.user} />
          )}
          {profile.terms.length > 0 && (
            <ul data-part="entries">
              {profile.terms.map((terms) => (
                <li key={terms.terms_id}>
                  <Terms terms={terms} page={page} />
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Section>
  );
}

interface FieldsProps {
  readonly fields: readonly ProfileField[];
}

/** The fields with the user's values. */
function Values({ fields, user }: FieldsProps & { readonly user: User }) {
  const tools = useWidget();
  const { model, t } = tools;
  if (fields.length === 0) return null;
  return (
    <div data-part="entry">
      <div data-part="entry-text">
        <ul data-part="stack">
          {fields.map((field) => {
            const value = valueOf(field, user);
            return (
              <li key={field.field}>
                <p data-part="details">
                  <bdi>{labelOf(field, tools)}</bdi>
                </p>
                {value === '' ? (
                  <p data-part="details">{t('account.details.empty')}</p>
                ) : (
                  <p>
                    <bdi>{value}</bdi>
                  </p>
                )}
              </li>
            );
          })}
        </ul>
      </div>
      <Action
        text={t('account.edit')}
        label={t('account.details.edit')}
        opens="details"
        onPress={() => model.send({ type: 'account/opened', task: { kind: 'details' } })}
      />
    </div>
  );
}

/** The name of a form's field. */
const nameOf = ({ field }: ProfileField): string => `field-${field}`;

function DetailsForm({ page, fields }: FieldsProps & Pick<SectionProps, 'page'>) {
  const tools = useWidget();
  const { model, t } = tools;
  const drafts = useDrafts();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const isBusy = page.at === 'working' && page.doing.kind === 'details';
  const edited = (name: string): void => {
    setMissing((before) => before.filter((each) => each !== name));
    model.send({ type: 'account/edited' });
  };
  return (
    <TaskForm
      submit={t('account.save')}
      {...buttonsOf(page, 'details')}
      onCancel={() => drafts.forget('details')}
      onSubmit={(textOf) => {
        const values = fields.map((field) => ({ field, value: textOf(nameOf(field)).trim() }));
        const empty = values.filter(({ field, value }) => field.required && value === '');
        setMissing(empty.map(({ field }) => nameOf(field)));
        if (empty.length > 0) return;
        // What the app's server stored in another form, or changed meanwhile, stays.
        const changed = values.filter(({ field, value }) => value !== valueOf(field, page.user).trim());
        const entries = changed.map(({ field, value }) => [field.field, value]);
        model.send({ type: 'account/asked', change: { kind: 'details', fields: Object.fromEntries(entries) } });
      }}
    >
      {fields.map((field, place) => {
        const name = nameOf(field);
        const label = labelOf(field, tools);
        const shared = {
          name,
          draft: 'details',
          label: field.required ? <bdi>{label}</bdi> : <Message id="account.details.optional" values={{ label }} />,
          value: valueOf(field, page.user),
          required: field.required,
          error: missing.includes(name) && t('account.details.required'),
          onEdit: () => edited(name),
        } as const;
        return field.options === null ? (
          <Field
            key={name}
            {...shared}
            maxLength={128}
            autoComplete={isNameField(field.field) ? NAME_COMPLETIONS[field.field] : undefined}
            readOnly={isBusy}
          />
        ) : (
          <Choice key={name} {...shared} options={field.options} isFirst={place === 0} disabled={isBusy} />
        );
      })}
    </TaskForm>
  );
}

/** A link to the text, and when the user accepted it, or a button to accept it. */
function Terms({ terms, page }: { readonly terms: ProfileTerms; readonly page: AccountPage }) {
  const { language, model, t } = useWidget();
  const at = useTime('medium');
  const { terms_id: id, version, accepted_at } = terms;
  const title = textIn(terms.title, language);
  const url = safeUrl(terms.url);
  return (
    <div data-part="entry">
      <div data-part="entry-text">
        <p>
          {url === null ? (
            <bdi>{title}</bdi>
          ) : (
            <a href={url} target="_blank" rel="noopener noreferrer">
              <bdi>{title}</bdi>
            </a>
          )}
        </p>
        {accepted_at !== null && <p data-part="details">{t('account.details.accepted', { date: at(accepted_at) })}</p>}
      </div>
      {accepted_at === null && (
        <Action
          text={t('account.details.accept')}
          label={t('account.details.acceptOf', { item: title })}
          busy={page.at === 'working' && page.doing.kind === 'acceptTerms' && page.doing.id === id}
          onPress={() => model.send({ type: 'account/asked', change: { kind: 'acceptTerms', id, version } })}
        />
      )}
    </div>
  );
}
