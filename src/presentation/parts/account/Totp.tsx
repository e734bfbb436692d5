import { formError, type AccountPage, type AccountTask } from '#domain/account/account.ts';
import type { NewTotp } from '#domain/sessions/new-totp.ts';
import { plainCode } from '#domain/contacts/ascii-digits.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { QrPlace } from '../../components/QrPlace.tsx';
import { RecoveryCodes as RecoveryCodeList } from '../../components/RecoveryCodes.tsx';
import { useCopy } from '../../hooks/useCopy.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Action, buttonsOf, Cancel, Field, TaskForm } from './controls.tsx';
import { Question } from './Question.tsx';
import { Section, taskOf, type SectionProps } from './Section.tsx';

/** The authenticator app and its recovery codes. */
export function Totp({ page }: SectionProps) {
  const { model, t } = useWidget();
  const task = taskOf(page);
  const app = page.user.totps?.find(({ verified }) => verified);
  // A server without the call shows the codes.
  const [summary] = page.recoveryCodes.status === 'known' ? page.recoveryCodes.items : [];
  const doing = page.at === 'working' ? page.doing.kind : null;
  const ask = (kind: 'createTotp' | 'showRecoveryCodes' | 'renewRecoveryCodes'): void =>
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
              <span>{`${t('account.totp.text')} `}</span>
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
          {summary && (
            <p data-part="text">
              {`${t('account.codes.left', { count: String(summary.left) })} ${t('account.codes.renewHint')}`}
            </p>
          )}
          <div data-part="actions">
            {(summary?.can_be_shown ?? page.recoveryCodes.status !== 'loading') && (
              <Button look="secondary" busy={doing === 'showRecoveryCodes'} onPress={() => ask('showRecoveryCodes')}>
                {t('account.codes.show')}
              </Button>
            )}
            {summary && (
              <Button look="secondary" busy={doing === 'renewRecoveryCodes'} onPress={() => ask('renewRecoveryCodes')}>
                {t('account.codes.renew')}
              </Button>
            )}
          </div>
        </>
      )}
    </Section>
  );
}

/** The secret of a new app, and the field for its first code. */
function SetUp({ page, totp }: { readonly page: AccountPage; readonly totp: NewTotp }) {
  const { model, t } = useWidget();
  const working = page.at === 'working';
  const error = formError(page);
  // Groups of four are easier to type; the spaces are not part of the key.
  const key = totp.secret.replaceAll(/(.{4})(?=.)/gu, '$1 ');
  return (
    <TaskForm
      submit={t('account.totp.confirm')}
      {...buttonsOf(page, 'totp')}
      onSubmit={(field) => {
        const code = plainCode(field('code'));
        if (code !== '') model.send({ type: 'account/asked', change: { kind: 'confirmTotp', code } });
      }}
    >
      <p data-part="text">{t('account.totp.scan')}</p>
      <QrPlace text={totp.uri} label={t('account.totp.qr')} />
      <p data-part="label">{t('account.totp.key')}</p>
      <div data-part="entry">
        <p data-part="secret" dir="ltr" translate="no">
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
        error={error && <ErrorText error={error} />}
        onEdit={() => model.send({ type: 'account/edited' })}
      />
    </TaskForm>
  );
}

type CodesTask = Extract<AccountTask, { readonly kind: 'recoveryCodes' }>;

/** The recovery codes, for the user to store elsewhere. */
function RecoveryCodes({ task: { codes, fresh } }: { readonly task: CodesTask }) {
  const { model, t } = useWidget();
  const id = useOwnId();
  return (
    <fieldset data-part="task" aria-labelledby={id}>
      {/* The codes are taller than a phone's screen, so the focus brings their heading into view. */}
      <h3 id={id} data-part="subtitle" data-focus="" tabIndex={-1} aria-describedby={fresh ? `${id}-fresh` : undefined}>
        {t('account.codes.title')}
      </h3>
      {fresh && (
        <p id={`${id}-fresh`} data-part="fresh">
          {t('account.codes.fresh')}
        </p>
      )}
      <p data-part="text">{t(codes.length === 0 ? 'account.codes.none' : 'account.codes.text')}</p>
      {codes.length > 0 && (
        <>
          <RecoveryCodeList
            codes={codes}
            texts={{
              title: t('account.codes.title'),
              copy: t('account.codes.copy'),
              copied: t('account.totp.copied'),
              download: t('account.codes.download'),
              print: t('account.codes.print'),
            }}
          />
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
function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useWidget();
  const [copied, copy] = useCopy(t('account.totp.copied'));
  return <Action text={copied ? t('account.totp.copied') : label} onPress={() => copy(text)} />;
}
