import { type ReactNode } from 'react';
import type { AccountChange, AccountPage, AccountSection } from '#domain/account/account.ts';
import { Button } from '../../components/Button.tsx';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { buttonsOf, Cancel } from './controls.tsx';
import type { Elements } from '../../elements.ts';

interface NoticeProps {
  readonly text: ReactNode;
  /** The buttons. */
  readonly children: Elements;
}

/** A text instead of a form, with buttons. */
export function TaskNotice({ text, children }: NoticeProps) {
  const id = useOwnId();
  return (
    <fieldset data-part="task" tabIndex={-1} aria-labelledby={id}>
      <p id={id} data-part="text">
        {text}
      </p>
      <div data-part="choices">{children}</div>
    </fieldset>
  );
}

interface Props {
  readonly page: AccountPage;
  readonly section: AccountSection;
  readonly question: ReactNode;
  readonly change: AccountChange;
  /** The text of the button that makes the change. */
  readonly yes: string;
  readonly no?: string;
}

/** The confirmation before a change that cannot be undone. */
export function ConfirmTask({ page, section, question, change, yes, no }: Props) {
  const { model } = useWidget();
  return (
    <TaskNotice text={question}>
      <Button look="danger" {...buttonsOf(page, section)} onPress={() => model.send({ type: 'account/asked', change })}>
        {yes}
      </Button>
      <Cancel text={no} />
    </TaskNotice>
  );
}
