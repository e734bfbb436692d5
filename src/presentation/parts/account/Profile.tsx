import { fullName, personOf } from '../person.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Action, AddressText, buttonsOf, Field, TaskForm } from './controls.tsx';
import { useDrafts } from './drafts.ts';
import { Section, taskOf, type SectionProps } from './Section.tsx';

/** The user's profile: the initials, the name and the first address. The name can be changed. */
export function Profile({ page }: SectionProps) {
  const { model, t } = useWidget();
  const { name } = page.user;
  const full = fullName(page.user);
  const person = personOf(page.user);
  const address = full === '' ? person.label : person.detail;
  const drafts = useDrafts();
  const isOpen = taskOf(page)?.kind === 'name';
  return (
    <Section name="profile" page={page}>
      <div data-part="entry">
        <span data-part="face" aria-hidden="true">
          {person.initials}
        </span>
        <div data-part="entry-text">
          <p data-part="subtitle">{full === '' ? <span>{t('account.profile.noName')}</span> : <bdi>{full}</bdi>}</p>
          {address !== '' && (
            <p data-part="details">
              <AddressText text={address} />
            </p>
          )}
        </div>
        {!isOpen && (
          <Action
            text={t('account.edit')}
            label={t('account.profile.editName')}
            opens="name"
            onPress={() => model.send({ type: 'account/opened', task: { kind: 'name' } })}
          />
        )}
      </div>
      {isOpen && (
        <TaskForm
          submit={t('account.save')}
          {...buttonsOf(page, 'profile')}
          onCancel={() => drafts.forget('profile')}
          onSubmit={(field) =>
            model.send({
              type: 'account/asked',
              change: { kind: 'name', name: { first_name: field('first').trim(), last_name: field('last').trim() } },
            })
          }
        >
          <Field
            name="first"
            draft="profile"
            label={t('account.profile.firstName')}
            value={name?.first_name ?? ''}
            autoComplete="given-name"
            maxLength={128}
          />
          <Field
            name="last"
            draft="profile"
            label={t('account.profile.lastName')}
            value={name?.last_name ?? ''}
            autoComplete="family-name"
            maxLength={128}
          />
        </TaskForm>
      )}
    </Section>
  );
}
