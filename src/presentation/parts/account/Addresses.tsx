import { useCallback, useEffect, useState } from 'react';
import type { AccountPage } from '#domain/account/account.ts';
import { PHONE_METHODS } from '#domain/contacts/channels.ts';
import { isEmail, typedEmail } from '#domain/contacts/email.ts';
import type { Intent } from '#domain/screens/event.ts';
import type { OtpMethod } from '#domain/passcodes/otp.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { PhoneForm } from '../../main/PhoneForm.tsx';
import { PasscodeEntry } from '../login/Passcode.tsx';
import { Borrowed, lentState } from './Borrowed.tsx';
import { Action, AddressText, buttonsOf, Cancel, Field, Opener, TaskForm } from './controls.tsx';
import { useDrafts } from './drafts.ts';
import { Question } from './Question.tsx';
import { Section, taskOf, type SectionProps } from './Section.tsx';

interface Address {
  readonly id: string;
  readonly text: string;
  readonly verified: boolean;
}

interface ListProps {
  readonly page: AccountPage;
  readonly what: 'email' | 'phone';
  readonly none: string;
  readonly addresses: readonly Address[];
  readonly method: OtpMethod;
}

/** The addresses or phone numbers, with the actions on each. */
function AddressList({ page, what, none, addresses, method }: ListProps) {
  const { model, t } = useWidget();
  if (addresses.length === 0) return <p data-part="text">{none}</p>;
  return (
    <ul data-part="entries">
      {addresses.map(({ id, text, verified }) => (
        <li key={id}>
          <div data-part="entry">
            <p data-part="entry-text">
              <AddressText text={text} />
              <span> </span>
              <span data-part="badge" data-state={verified ? 'good' : 'open'}>
                {t(verified ? 'account.verified' : 'account.unverified')}
              </span>
            </p>
            <div data-part="actions">
              {!verified && (
                <Action
                  text={t('account.verify')}
                  label={t('account.verifyOf', { item: text })}
                  onPress={() =>
                    model.send({ type: 'account/asked', change: { kind: 'sendCode', method, destination: text } })
                  }
                />
              )}
              <Action
                danger
                text={t('account.remove')}
                label={t('account.removeOf', { item: text })}
                opens={`remove ${id}`}
                onPress={() => model.send({ type: 'account/opened', task: { kind: 'remove', what, id } })}
              />
            </div>
          </div>
          <Question page={page} what={what} id={id} item={text} />
        </li>
      ))}
    </ul>
  );
}

/** The passcode that was sent to an address or number. */
function EnterCode({ page, state }: SectionProps) {
  const { task } = page;
  if (task?.kind !== 'enterCode') return null;
  return (
    <div data-part="task">
      <Borrowed>
        <PasscodeEntry otp={task.otp} state={lentState(state, page)} />
      </Borrowed>
      <Cancel off={page.at === 'working'} />
    </div>
  );
}

export function Emails({ page, state }: SectionProps) {
  const { model, t } = useWidget();
  const [fault, setFault] = useState<'account.emails.yours' | 'email.invalid.otp' | null>(null);
  const drafts = useDrafts();
  const task = taskOf(page);
  const emails = page.user.emails ?? [];
  return (
    <Section name="emails" page={page}>
      <AddressList
        page={page}
        what="email"
        method="email"
        none={t('account.emails.none')}
        addresses={emails.map(({ email_id: id, email: text, verified }) => ({ id, text, verified }))}
      />
      {task?.kind === 'addEmail' ? (
        <TaskForm
          submit={t('account.emails.send')}
          {...buttonsOf(page, 'emails')}
          onCancel={() => drafts.forget('emails')}
          onSubmit={(field) => {
            const destination = typedEmail(field('email'));
            // This is known without the server. For other people's addresses, the server reveals only after the code's proof whether they
            // are taken.
            const found = emails.find(({ email }) => email.toLowerCase() === destination.toLowerCase());
            const wrong = found?.verified === true ? 'account.emails.yours' : 'email.invalid.otp';
            const isFine = found?.verified !== true && isEmail(destination);
            setFault(isFine ? null : wrong);
            if (!isFine) return;
            model.send({ type: 'account/asked', change: { kind: 'sendCode', method: 'email', destination } });
          }}
        >
          <Field
            name="email"
            draft="emails"
            type="email"
            dir="ltr"
            label={t('email.label')}
            autoComplete="email"
            readOnly={page.at === 'working'}
            error={fault !== null && t(fault)}
            onEdit={() => {
              setFault(null);
              model.send({ type: 'account/edited' });
            }}
          />
        </TaskForm>
      ) : task?.kind === 'enterCode' && task.otp.type === 'email' ? (
        <EnterCode page={page} state={state} />
      ) : (
        <Opener task={{ kind: 'addEmail' }}>{t('account.emails.add')}</Opener>
      )}
    </Section>
  );
}

export function Phones({ page, state }: SectionProps) {
  const { config, loadPart, model, t } = useWidget();
  const drafts = useDrafts();
  const task = taskOf(page);
  const isAdding = task?.kind === 'addPhone';
  useEffect(() => {
    if (isAdding) loadPart('phones').catch(() => undefined);
  }, [isAdding, loadPart]);
  const methods = config.otpOptions?.methods ?? [];
  const method = PHONE_METHODS.find((channel) => methods.includes(channel)) ?? 'sms';
  const hear = useCallback(
    (intent: Intent): void => {
      if (intent.type !== 'phone/edited') return;
      const { phone } = model.getState();
      // The first one only means that the code of the form has loaded.
      if (phone !== null && phone.edit !== intent.edit) model.send({ type: 'account/edited' });
      drafts.keep('phones', { country: intent.country, national: intent.national });
    },
    [model, drafts],
  );
  const numbers = page.user.phone_numbers ?? [];
  const { country, national } = drafts.of('phones');
  const drafted = country === undefined || national === undefined ? undefined : { country, national };
  return (
    <Section name="phones" page={page}>
      <AddressList
        page={page}
        what="phone"
        method={method}
        none={t('account.phones.none')}
        addresses={numbers.map(({ phone_id: id, phone_number: text, verified }) => ({ id, text, verified }))}
      />
      {isAdding ? (
        <div data-part="task">
          <Borrowed onIntent={hear}>
            <PhoneForm method={method} initial={drafted} state={lentState(state, page)} />
          </Borrowed>
          <Cancel off={page.at === 'working'} onPress={() => drafts.forget('phones')} />
        </div>
      ) : task?.kind === 'enterCode' && task.otp.type !== 'email' ? (
        <EnterCode page={page} state={state} />
      ) : (
        <Opener task={{ kind: 'addPhone' }}>{t('account.phones.add')}</Opener>
      )}
    </Section>
  );
}
