import { useEffect, useId, useState, type ComponentType } from 'react';
import type { AccountPage, AccountTask, NewTotp } from '../../../domain/account/account.ts';
import { plainCode } from '../../../domain/contacts/ascii-digits.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { useCopy } from '../../hooks/useCopy.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Action, Cancel, Field, TaskForm } from './controls.tsx';
import { Question } from './Question.tsx';
import { Section, taskOf, type SectionProps } from './Section.tsx';

/** The authenticator app and its recovery codes. */
export function Totp({ page }: SectionProps) {
  const { model, t } = useWidget();
  const task = taskOf(page);
  const app = page.user.totps?.find(({ verified }) => verified);
  const doing = page.at === 'working' ? page.doing.kind : null;
  const ask = (kind: 'createTotp' | 'showRecoveryCodes'): void =>
    model.send({ type: 'account/asked', change: { kind } });
  return (
    <Section name="totp" page={page}>
      {task?.kind === 'recoveryCodes' ? (
        <RecoveryCodes task={task} />
      ) : task?.kind === 'addTotp' ? (
        <SetUp page={page} totp={task.totp} />
      ) : app === undefined ? (
        <>
          <p data-part="text">{t('account.totp.text')}</p>
          <Button look="secondary" busy={doing === 'createTotp'} onPress={() => ask('createTotp')}>
            {t('account.totp.add')}
          </Button>
        </>
      ) : (
        <>
          <div data-part="entry">
            <p data-part="entry-text">
              {t('account.totp.text')}{' '}
              <span data-part="badge" data-state="good">
                {t('account.totp.on')}
              </span>
            </p>
            <Action
              danger
              text={t('account.remove')}
              label={t('account.removeOf', { item: t('account.totp.app') })}
              opens={`remove ${app.totp_id}`}
              onPress={() =>
                model.send({ type: 'account/opened', task: { kind: 'remove', what: 'totp', id: app.totp_id } })
              }
            />
          </div>
          <Question page={page} what="totp" id={app.totp_id} item={t('account.totp.app')} />
          <Button look="secondary" busy={doing === 'showRecoveryCodes'} onPress={() => ask('showRecoveryCodes')}>
            {t('account.codes.show')}
          </Button>
        </>
      )}
    </Section>
  );
}

/** The secret of a new app, and the field for its first code. */
function SetUp({ page, totp }: { readonly page: AccountPage; readonly totp: NewTotp }) {
  const { model, t } = useWidget();
  const working = page.at === 'working';
  // Groups of four are easier to type; the spaces are not part of the key.
  const key = totp.secret.replaceAll(/(.{4})(?=.)/gu, '$1 ');
  return (
    <TaskForm
      submit={t('account.totp.confirm')}
      busy={working}
      onSubmit={(field) => {
        const code = plainCode(field('code'));
        if (code !== '') model.send({ type: 'account/asked', change: { kind: 'confirmTotp', code } });
      }}
    >
      <p data-part="text">{t('account.totp.scan')}</p>
      <Code text={totp.uri} label={t('account.totp.qr')} />
      <p data-part="label">{t('account.totp.key')}</p>
      <div data-part="entry">
        <p data-part="secret" dir="ltr">
          {key}
        </p>
        <Copy text={totp.secret} label={t('account.totp.copyKey')} />
      </div>
      <Field
        name="code"
        label={t('account.totp.code')}
        dir="ltr"
        autoComplete="one-time-code"
        inputMode="numeric"
        readOnly={working}
        error={page.error && <ErrorText error={page.error} />}
        onEdit={() => model.send({ type: 'account/edited' })}
      />
    </TaskForm>
  );
}

interface CodeProps {
  readonly text: string;
  readonly label: string;
}

/** The QR code, in a place of its size. Its code loads when it is first shown; without it, the key can be entered. */
function Code(props: CodeProps) {
  const [Loaded, setLoaded] = useState<ComponentType<CodeProps> | null>(null);
  useEffect(() => {
    import('./QrCode.tsx').then(
      ({ QrCode }) => setLoaded(() => QrCode),
      () => undefined,
    );
  }, []);
  return <div data-part="qr-place">{Loaded && <Loaded {...props} />}</div>;
}

type CodesTask = Extract<AccountTask, { readonly kind: 'recoveryCodes' }>;

/** The recovery codes, for the user to store elsewhere. */
function RecoveryCodes({ task: { codes, fresh } }: { readonly task: CodesTask }) {
  const { model, t } = useWidget();
  const id = useId();
  const text = codes.join('\n');
  return (
    <fieldset data-part="task" data-focus="" tabIndex={-1} aria-labelledby={id}>
      <h3 id={id} data-part="subtitle">
        {t('account.codes.title')}
      </h3>
      {fresh && <p data-part="fresh">{t('account.codes.fresh')}</p>}
      <p data-part="text">{t(codes.length === 0 ? 'account.codes.none' : 'account.codes.text')}</p>
      {codes.length > 0 && (
        <>
          <ul data-part="codes" dir="ltr">
            {codes.map((code, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- the codes of one app have no other identity
              <li key={place}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <div data-part="choices">
            <Copy text={text} label={t('account.codes.copy')} isButton />
            <Button look="secondary" onPress={() => download(text)}>
              {t('account.codes.download')}
            </Button>
          </div>
        </>
      )}
      {codes.length === 0 ? (
        <Cancel />
      ) : (
        <Button look="primary" onPress={() => model.send({ type: 'account/closed' })}>
          {t('account.codes.done')}
        </Button>
      )}
    </fieldset>
  );
}

/** A button that copies a text and announces it. */
function Copy({
  text,
  label,
  isButton = false,
}: {
  readonly text: string;
  readonly label: string;
  readonly isButton?: boolean;
}) {
  const { t } = useWidget();
  const [copied, copy] = useCopy(t('account.totp.copied'));
  const words = copied ? t('account.totp.copied') : label;
  return isButton ? (
    <Button look="secondary" onPress={() => copy(text)}>
      {words}
    </Button>
  ) : (
    <Action text={words} onPress={() => copy(text)} />
  );
}

/** Saves the codes as a text file. */
function download(text: string): void {
  const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}
