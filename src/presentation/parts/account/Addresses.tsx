import { useEffect, useState } from 'react';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import { formError, type AccountChange, type AccountPage } from '#domain/account/account.ts';
import { PHONE_METHODS } from '#domain/contacts/channels.ts';
import { isEmail, typedEmail } from '#domain/contacts/email.ts';
import type { OtpMethod, SentOtp } from '#domain/passcodes/otp.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { PhoneForm } from '../../main/PhoneForm.tsx';
import { PasscodeEntry, type CodeRequests } from '../login/Passcode.tsx';
import type { TypedPhone } from '../parts.ts';
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

/** The requests of a code that proves a new address or number. */
function addressCode(model: WidgetModel, page: AccountPage, otp: SentOtp): CodeRequests {
  const doing = page.at === 'working' ? page.doing.kind : null;
  const error = formError(page);
  const isOfCode = page.failed?.kind === 'enterCode';
  const { type: method, destination, phone } = otp;
  const request = (change: AccountChange): void => model.send({ type: 'account/asked', change });
  return {
    busy: doing && (doing === 'enterCode' ? 'code' : doing === 'sendCode' ? 'resend' : 'other'),
    codeError: isOfCode ? error : null,
    resendError: page.failed?.kind === 'sendCode' ? error : null,
    error: isOfCode ? null : error,
    onCode: (code) => request({ kind: 'enterCode', code, otp }),
    onResend: () => request({ kind: 'sendCode', method, destination, ...(phone && { phone }) }),
    onEdit: () => {
      if (error !== null) model.send({ type: 'account/edited' });
    },
  };
}

/** The passcode that was sent to an address or number. */
function EnterCode({ page, otp }: { readonly page: AccountPage; readonly otp: SentOtp }) {
  const { model } = useWidget();
  return (
    <div data-part="task">
      <PasscodeEntry otp={otp} {...addressCode(model, page, otp)} />
      <Cancel off={page.at === 'working'} />
    </div>
  );
}

export function Emails({ page }: SectionProps) {
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
        <EnterCode page={page} otp={task.otp} />
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
  const edit = ({ country, national, edit: count }: TypedPhone): void => {
    const { phone } = model.getState();
    // The first one only means that the code of the form has loaded.
    if (phone !== null && phone.edit !== count) model.send({ type: 'account/edited' });
    drafts.keep('phones', { country, national });
  };
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
          <PhoneForm
            method={method}
            initial={drafted}
            phone={state.phone}
            busy={page.at === 'working' && page.doing.kind === 'sendText'}
            off={page.at === 'working'}
            error={formError(page)}
            onSubmit={(entry) => model.send({ type: 'account/asked', change: { kind: 'sendText', method, ...entry } })}
            onEdit={edit}
          />
          <Cancel off={page.at === 'working'} onPress={() => drafts.forget('phones')} />
        </div>
      ) : task?.kind === 'enterCode' && task.otp.type !== 'email' ? (
        <EnterCode page={page} otp={task.otp} />
      ) : (
        <Opener task={{ kind: 'addPhone' }}>{t('account.phones.add')}</Opener>
      )}
    </Section>
  );
}
