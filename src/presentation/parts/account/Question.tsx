import { isLastWayIn, OF_REMOVABLE, type AccountPage, type Removable } from '#domain/account/account.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';
import { ConfirmTask, TaskNotice } from './ConfirmTask.tsx';
import { Cancel } from './controls.tsx';
import { taskOf } from './Section.tsx';

interface Props {
  readonly page: AccountPage;
  readonly what: Removable;
  readonly id: string;
  /** The name of the item. */
  readonly item: string;
}

/** The confirmation before a removal. For the last way to sign in, it explains why the removal is impossible. */
export function Question({ page, what, id, item }: Props) {
  const { t } = useWidget();
  const task = taskOf(page);
  if (task?.kind !== 'remove' || task.what !== what || task.id !== id) return null;
  if (isLastWayIn(page.user, what, id))
    return (
      <TaskNotice text={t('account.lastWayIn')}>
        <Cancel />
      </TaskNotice>
    );
  const isApp = what === 'app';
  const losesPassword = what === 'email' && page.user.emails.length === 1 && Boolean(page.user.password);
  return (
    <ConfirmTask
      page={page}
      section={OF_REMOVABLE[what]}
      question={
        <>
          <Message id={isApp ? 'account.apps.question' : 'account.question'} values={{ item }} />
          {losesPassword && <span>{` ${t('account.withPassword')}`}</span>}
          {!isApp && <span>{` ${t('account.endsSessions')}`}</span>}
        </>
      }
      change={{ kind: 'remove', what, id }}
      yes={t(isApp ? 'account.apps.revoke' : 'account.question.yes')}
      no={isApp ? undefined : t('account.question.no')}
    />
  );
}
