import { fullName } from '../person.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Action, buttonsOf, Field, TaskForm } from './controls.tsx';
import { useDrafts } from './drafts.ts';
import { Section, taskOf, type SectionProps } from './Section.tsx';

/** The user's name. */
export function Profile({ page }: SectionProps) {
  const { model, t } = useWidget();
  const { name } = page.user;
  const full = fullName(page.user);
  const drafts = useDrafts();
  return (
    <Section name="profile" page={page}>
      {taskOf(page)?.kind === 'name' ? (
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
      ) : (
        <div data-part="entry">
          <p data-part="entry-text" data-state={full === '' ? 'none' : 'some'}>
            {full === '' ? t('account.profile.noName') : <bdi>{full}</bdi>}
          </p>
          <Action
            text={t('account.edit')}
            label={t('account.profile.editName')}
            opens="name"
            onPress={() => model.send({ type: 'account/opened', task: { kind: 'name' } })}
          />
        </div>
      )}
    </Section>
  );
}
