import type { AccountPage } from '../../../domain/account/account.ts';
import { plainCode } from '../../../domain/contacts/ascii-digits.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import { Field, TaskForm } from './controls.tsx';

type ProofPage = Extract<AccountPage, { readonly way: string }>;

/** The form for the second factor that a change requires. The change follows it. */
export function Proof({ page }: { readonly page: ProofPage }) {
  const { model, t } = useWidget();
  const isApp = page.way === 'totp';
  const checking = page.at === 'checking';
  return (
    <div data-part="proof">
      <h3 data-part="subtitle">{t('account.proof.title')}</h3>
      <p data-part="text">{t(isApp ? 'account.proof.text' : 'account.proof.recoveryText')}</p>
      <TaskForm
        key={page.way}
        submit={t('account.proof.confirm')}
        busy={checking}
        onSubmit={(field) => {
          const code = plainCode(field('code'));
          if (code !== '') model.send({ type: 'account/proven', code });
        }}
      >
        <Field
          name="code"
          label={t(isApp ? 'account.totp.code' : 'account.proof.recoveryCode')}
          dir="ltr"
          autoComplete={isApp ? 'one-time-code' : 'off'}
          inputMode={isApp ? 'numeric' : 'text'}
          readOnly={checking}
          error={page.error && <ErrorText error={page.error} />}
          onEdit={() => model.send({ type: 'account/edited' })}
        />
      </TaskForm>
      <Button
        look="link"
        off={checking}
        onPress={() => model.send({ type: 'account/wayChosen', way: isApp ? 'recovery' : 'totp' })}
      >
        {t(isApp ? 'account.proof.useRecovery' : 'account.proof.useApp')}
      </Button>
    </div>
  );
}
