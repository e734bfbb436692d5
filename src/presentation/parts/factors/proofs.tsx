import { useState, type SyntheticEvent } from 'react';
import { plainCode } from '#domain/contacts/ascii-digits.ts';
import { OTP_LENGTH } from '#domain/passcodes/otp.ts';
import { mayRepeat } from '#domain/screens/refusals.ts';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import {
  choicesOf,
  type FactorChoice,
  type FactorFormState,
  type FactorRequest,
  type FactorTask,
} from '#domain/sessions/second-factor.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner, ErrorText } from '../../components/ErrorBanner.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';
import { PasscodeEntry, PasscodeField, type CodeRequests } from '../login/Passcode.tsx';
import { FormFrame, Lost, OtherWays, Trust, type FormProps } from './FormFrame.tsx';

/** The list of the factors that complete the login, strongest first. */
export function Choice({ flow }: FormProps) {
  const { model, t } = useWidget();
  const choices = choicesOf(flow.step);
  const isBusy = flow.at === 'working';
  const press = (choice: FactorChoice): void =>
    model.send(
      'phone' in choice
        ? { type: 'factor/asked', request: { kind: 'send', channel: choice.factor, phone: choice.phone } }
        : { type: 'factor/opened', task: { kind: choice.factor } },
    );
  if (choices.length === 0) return <AnotherMethod flow={flow} />;
  return (
    <FormFrame flow={flow} title={t('factor.title')}>
      <p data-part="text">{t('factor.choose')}</p>
      <ErrorBanner error={flow.error} />
      <div data-part="actions">
        {choices.map((choice) => (
          <Button
            key={'phone' in choice ? `${choice.factor} ${choice.phone.phone_id}` : choice.factor}
            look="secondary"
            off={isBusy}
            onPress={() => press(choice)}
          >
            {'phone' in choice ? (
              <Message
                id={`factor.${choice.factor}`}
                values={{ phone: choice.phone.phone_number.replaceAll(' ', '\u00A0') }}
              />
            ) : (
              <span>{t(`factor.${choice.factor}`)}</span>
            )}
          </Button>
        ))}
      </div>
      <Lost flow={flow} />
    </FormFrame>
  );
}

/** The user's only second factor was already the first factor of this login. Any other method completes it. */
function AnotherMethod({ flow }: FormProps) {
  const { model, t } = useWidget();
  return (
    <FormFrame flow={flow} title={t('factor.another.title')}>
      <p data-part="text">{t('factor.another.text')}</p>
      <div data-part="actions">
        <Button look="primary" onPress={() => model.send({ type: 'back' })}>
          {t('factor.another.do')}
        </Button>
      </div>
    </FormFrame>
  );
}

/** The code of the authenticator app. A whole code is sent automatically, like a passcode. */
export function TotpProof({ flow }: FormProps) {
  const { t } = useWidget();
  return (
    <FormFrame flow={flow} title={t('factor.title')}>
      <AppCode flow={flow} text={t('factor.totp.text')} kind="totp" length={flow.step.totp_digits} />
      <Trust flow={flow} />
      <OtherWays flow={flow} />
      <Lost flow={flow} />
    </FormFrame>
  );
}

interface AppCodeProps extends FormProps {
  readonly text: string;
  readonly kind: 'totp';
  /** The number of digits; six if absent. */
  readonly length?: number | undefined;
}

/** The field for a code of an authenticator app. A code stays in the field if it did not reach the server. */
export function AppCode({ flow, text, kind, length = OTP_LENGTH }: AppCodeProps) {
  const { model, t } = useWidget();
  const { error } = flow;
  const [code, setCode] = useState('');
  const [shownError, setShownError] = useState(error);
  const id = useOwnId();
  const isVerifying = flow.at === 'working';
  if (error !== shownError) {
    setShownError(error);
    if (error !== null && !mayRepeat(error)) setCode('');
  }
  const send = (): void => model.send({ type: 'factor/asked', request: { kind, code } });
  return (
    <>
      <p data-part="text" id={`${id}-text`}>
        {text}
      </p>
      <PasscodeField
        methodId={kind}
        label={t('factor.totp.field')}
        length={length}
        code={code}
        setCode={setCode}
        send={send}
        onEdit={() => error !== null && model.send({ type: 'factor/edited' })}
        error={error}
        off={false}
        waiting={isVerifying}
        verifying={isVerifying}
        describedBy={`${id}-text ${id}-error`}
      />
      <div data-part="slot">
        <p data-part="field-error" id={`${id}-error`} role="alert">
          {error !== null && <ErrorText error={error} />}
        </p>
        <output data-part="verifying">
          {isVerifying && (
            <>
              <svg data-part="progress" aria-hidden="true" focusable="false">
                <rect />
              </svg>
              <span>{t('factor.verifying')}</span>
            </>
          )}
        </output>
      </div>
      {mayRepeat(error) && code.length === length && (
        <Button look="primary" off={isVerifying} onPress={send}>
          {t('factor.tryAgain')}
        </Button>
      )}
    </>
  );
}

/** A code that replaces a lost authenticator app. */
export function RecoveryCodeProof({ flow }: FormProps) {
  const { model, t } = useWidget();
  const id = useOwnId();
  const isBusy = flow.at === 'working';
  const { error } = flow;
  const send = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('code') as HTMLInputElement;
    const code = plainCode(field.value);
    if (code === '') field.focus();
    else model.send({ type: 'factor/asked', request: { kind: 'recovery_code', code } });
  };
  return (
    <FormFrame flow={flow} title={t('factor.title')} before={{ kind: 'choice' }}>
      <p data-part="text" id={`${id}-text`}>
        {t('factor.recovery_code.text')}
      </p>
      <form data-part="form" noValidate onSubmit={send}>
        <label data-part="label" htmlFor={id}>
          {t('factor.recovery_code')}
        </label>
        <TextField
          id={id}
          data-focus=""
          invalid={error !== null}
          name="code"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          readOnly={isBusy}
          aria-describedby={`${id}-text ${id}-error`}
          onText={() => error !== null && model.send({ type: 'factor/edited' })}
        />
        <p data-part="field-error" id={`${id}-error`} role="alert">
          {error !== null && <ErrorText error={error} />}
        </p>
        <Trust flow={flow} />
        <Button look="primary" type="submit" busy={isBusy}>
          {t('factor.continue')}
        </Button>
      </form>
      <Lost flow={flow} />
    </FormFrame>
  );
}

/** A passkey of the user. The browser asks for it when the person presses the button, because some browsers need a gesture. */
export function PasskeyProof({ flow }: FormProps) {
  const { model, t } = useWidget();
  return (
    <FormFrame flow={flow} title={t('factor.title')}>
      <p data-part="text">{t('factor.webauthn.text')}</p>
      <ErrorBanner error={flow.error} />
      <Trust flow={flow} />
      <div data-part="actions">
        <Button
          look="primary"
          busy={flow.at === 'working'}
          onPress={() => model.send({ type: 'factor/asked', request: { kind: 'webauthn' } })}
        >
          {t('factor.webauthn')}
        </Button>
        <OtherWays flow={flow} />
      </div>
      <Lost flow={flow} />
    </FormFrame>
  );
}

type TextTask = Extract<FactorTask, { readonly kind: 'text' }>;

/** The requests of a code that was sent to a phone. */
function textCode(model: WidgetModel, flow: FactorFormState, { otp, phone }: TextTask): CodeRequests {
  const names = { text: 'code', send: 'resend', addPhone: 'resend' } as const;
  const doing = flow.at === 'working' ? flow.doing : null;
  const isOfCode = flow.failed === 'text';
  const resend = (): FactorRequest | null => {
    if (otp.type === 'email') return null;
    if (phone !== null) return { kind: 'send', channel: otp.type, phone };
    const { country = '', national = '' } = otp.phone ?? {};
    return { kind: 'addPhone', country, national, channel: otp.type, edit: 0 };
  };
  return {
    busy: doing && (names[doing as keyof typeof names] ?? 'other'),
    codeError: isOfCode ? flow.error : null,
    resendError: isOfCode ? null : flow.error,
    error: isOfCode ? null : flow.error,
    onCode: (code) => model.send({ type: 'factor/asked', request: { kind: 'text', code, otp } }),
    onResend: () => {
      const request = resend();
      if (request !== null) model.send({ type: 'factor/asked', request });
    },
    onEdit: () => {
      if (flow.error !== null) model.send({ type: 'factor/edited' });
    },
  };
}

/** A code that was sent to a phone. */
export function TextProof({ flow }: FormProps) {
  const { model, t } = useWidget();
  const { task } = flow;
  if (task.kind !== 'text') return null;
  return (
    <FormFrame flow={flow} title={t('factor.title')} before={{ kind: task.phone === null ? 'enrolment' : 'choice' }}>
      <PasscodeEntry otp={task.otp} {...textCode(model, flow, task)} />
      <Trust flow={flow} />
      <Lost flow={flow} />
    </FormFrame>
  );
}
