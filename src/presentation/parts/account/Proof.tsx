import type { AccountPage, ProofWay } from '../../../domain/account/account.ts';
import { proofWays } from '../../../domain/account/proof-ways.ts';
import { plainCode } from '../../../domain/contacts/ascii-digits.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner, ErrorText } from '../../components/ErrorBanner.tsx';
import { useBootstrap, useWidget } from '../../hooks/useWidget.ts';
import type { MessageKey } from '../../messages/catalogue.ts';
import { Field, TaskForm } from './controls.tsx';

type ProofPage = Extract<AccountPage, { readonly way: string }>;

/** What each way asks for, the label of its field, and the name of the way. */
const TEXTS = {
  totp: { text: 'account.proof.text', field: 'account.totp.code', use: 'account.proof.useApp' },
  recovery: {
    text: 'account.proof.recoveryText',
    field: 'account.proof.recoveryCode',
    use: 'account.proof.useRecovery',
  },
  webauthn: {
    text: 'account.proof.passkeyText',
    field: 'account.proof.passkeyText',
    use: 'account.proof.usePasskey',
  },
  text: { text: 'account.proof.messageText', field: 'account.proof.messageCode', use: 'account.proof.useMessage' },
} as const satisfies Readonly<Record<ProofWay, Readonly<Record<'text' | 'field' | 'use', MessageKey>>>>;

/** The form for the second factor that a change requires. The change follows it. */
export function Proof({ page }: { readonly page: ProofPage }) {
  const { model, t } = useWidget();
  const { mfa } = useBootstrap();
  const { way } = page;
  const { text, field: label, use } = TEXTS[way];
  const checking = page.at === 'checking';
  const isPasskey = way === 'webauthn';
  const others = proofWays(page.user, mfa?.factors ?? null).filter((each) => each !== way || each === 'text');
  return (
    <div data-part="proof">
      <h3 data-part="subtitle">{t('account.proof.title')}</h3>
      <p data-part="text">{t(text)}</p>
      {isPasskey && <ErrorBanner error={page.error} />}
      <TaskForm
        key={way}
        submit={t(isPasskey ? use : 'account.proof.confirm')}
        busy={checking}
        onSubmit={(field) => {
          const code = plainCode(field('code'));
          if (isPasskey || code !== '') model.send({ type: 'account/proven', code });
        }}
      >
        {!isPasskey && (
          <Field
            name="code"
            label={t(label)}
            dir="ltr"
            autoComplete={way === 'recovery' ? 'off' : 'one-time-code'}
            inputMode={way === 'recovery' ? 'text' : 'numeric'}
            readOnly={checking}
            error={page.error && <ErrorText error={page.error} />}
            onEdit={() => model.send({ type: 'account/edited' })}
          />
        )}
      </TaskForm>
      {others.map((each) => (
        <Button
          key={each}
          look="link"
          off={checking}
          onPress={() => model.send({ type: 'account/wayChosen', way: each })}
        >
          {t(TEXTS[each].use)}
        </Button>
      ))}
    </div>
  );
}
