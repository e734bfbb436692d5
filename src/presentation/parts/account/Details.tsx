import { useRef } from 'react';
import type { AccountPage } from '#domain/account/account.ts';
import { dataSettingsOf } from '#domain/account/data-settings.ts';
import { safeUrl } from '#domain/safe-url.ts';
import {
  fieldControl,
  isNameField,
  refusedControl,
  termsControl,
  textIn,
  type Profile,
  type ProfileField,
  type ProfileTerms,
} from '#domain/sessions/profile.ts';
import type { User } from '#domain/users/user.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useTime } from '../../hooks/useTime.ts';
import { useBootstrap, useWidget } from '../../hooks/useWidget.ts';
import { labelOf, ProfileFields, shownValue } from '../profile/ProfileFields.tsx';
import { useProfileEntry } from '../profile/profile-entry.ts';
import { Action, buttonsOf, TaskForm } from './controls.tsx';
import { useDrafts } from './drafts.ts';
import { ListState } from './ListState.tsx';
import { useRowFocus } from './row-focus.ts';
import { Section, taskOf, type SectionProps } from './Section.tsx';

/** The name can also be changed elsewhere on the page. */
const valueOf = ({ field, value }: ProfileField, { name }: User): string =>
  isNameField(field) ? (name?.[field] ?? '') : value;

/** The value as its control shows it: one of the options, or one line. The app's server may have stored something else. */
function enteredOf(field: ProfileField, user: User): string {
  const value = valueOf(field, user);
  if (field.options === null) return value.replaceAll(/[\r\n]/gu, '');
  return field.options.some((option) => option.value === value) ? value : '';
}

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
          {isOpen ? <DetailsForm page={page} profile={profile} /> : <Values fields={profile.fields} user={page.user} />}
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

/** The fields with the user's values. */
function Values({ fields, user }: { readonly fields: readonly ProfileField[]; readonly user: User }) {
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
                  <bdi>{labelOf(field, 'account.details', tools)}</bdi>
                </p>
                {value === '' ? (
                  <p data-part="details">{t('account.details.empty')}</p>
                ) : (
                  <p>
                    <bdi>{shownValue(field, value, tools.language)}</bdi>
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

function DetailsForm({ page, profile }: { readonly page: AccountPage; readonly profile: Profile }) {
  const { model, t } = useWidget();
  const drafts = useDrafts();
  const fields = { ...profile, terms: [] };
  const error = page.failed?.kind === 'details' ? page.error : null;
  const form = useRef<HTMLFormElement>(null);
  const entry = useProfileEntry(form, fields, error, () => model.send({ type: 'account/edited' }));
  return (
    <TaskForm
      form={form}
      submit={t('account.save')}
      {...buttonsOf(page, 'details')}
      onCancel={() => drafts.forget('details')}
      onSubmit={() => {
        // What the app's server stored in another form, or changed meanwhile, stays.
        const changed = entry.read()?.filter(([field, value]) => value !== enteredOf(field, page.user).trim());
        if (changed === undefined) return;
        const entries = changed.map(([{ field }, value]) => [field, value]);
        model.send({ type: 'account/asked', change: { kind: 'details', fields: Object.fromEntries(entries) } });
      }}
    >
      <ProfileFields
        texts="account.details"
        fields={profile.fields}
        entry={entry}
        isBusy={page.at === 'working' && page.doing.kind === 'details'}
        valueOf={(field) => drafts.of('details')[fieldControl(field)] ?? enteredOf(field, page.user)}
        onText={(control, text) => drafts.keep('details', { [control]: text })}
      />
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
  const errorId = useOwnId();
  const isOutdated = page.failed?.kind === 'acceptTerms' && refusedControl(page.error) === termsControl(terms);
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
        <p data-part="field-error" id={errorId} role="alert">
          {isOutdated && <span>{t('account.details.changed')}</span>}
        </p>
      </div>
      {accepted_at === null && (
        <Action
          text={t('account.details.accept')}
          label={t('account.details.acceptOf', { item: title })}
          describedBy={errorId}
          busy={page.at === 'working' && page.doing.kind === 'acceptTerms' && page.doing.id === id}
          onPress={() => model.send({ type: 'account/asked', change: { kind: 'acceptTerms', id, version } })}
        />
      )}
    </div>
  );
}
