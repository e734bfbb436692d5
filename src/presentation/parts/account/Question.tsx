import { useId } from 'react';
import { isLastWayIn, OF_REMOVABLE, type AccountPage, type Removable } from '../../../domain/account/account.ts';
import { Button } from '../../components/Button.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';
import { buttonsOf } from './controls.tsx';
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
  const { model, t } = useWidget();
  const text = useId();
  const task = taskOf(page);
  if (task?.kind !== 'remove' || task.what !== what || task.id !== id) return null;
  const isApp = what === 'app';
  const isLast = isLastWayIn(page.user, what, id);
  const losesPassword = what === 'email' && page.user.emails.length === 1 && Boolean(page.user.password);
  return (
    <fieldset data-part="task" tabIndex={-1} aria-labelledby={text}>
      <p id={text} data-part="text">
        {isLast ? (
          t('account.lastWayIn')
        ) : (
          <Message id={isApp ? 'account.apps.question' : 'account.question'} values={{ item }} />
        )}
        {!isLast && losesPassword && ` ${t('account.withPassword')}`}
        {!isLast && !isApp && ` ${t('account.endsSessions')}`}
      </p>
      <div data-part="choices">
        {!isLast && (
          <Button
            look="danger"
            {...buttonsOf(page, OF_REMOVABLE[what])}
            onPress={() => model.send({ type: 'account/asked', change: { kind: 'remove', what, id } })}
          >
            {t(isApp ? 'account.apps.revoke' : 'account.question.yes')}
          </Button>
        )}
        <Button look="secondary" onPress={() => model.send({ type: 'account/closed' })}>
          {t(isLast || isApp ? 'account.cancel' : 'account.question.no')}
        </Button>
      </div>
    </fieldset>
  );
}
