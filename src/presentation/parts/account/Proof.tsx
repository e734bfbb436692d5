import type { AccountPage, ProofWay } from '#domain/account/account.ts';
import { loginWays, proofWays } from '#domain/account/proof-ways.ts';
import { plainCode } from '#domain/contacts/ascii-digits.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner, ErrorText } from '../../components/ErrorBanner.tsx';
import { useBootstrap, useWidget } from '../../hooks/useWidget.ts';
import type { MessageKey } from '../../messages/catalogue.ts';
import { Field, TaskForm } from './controls.tsx';

type ProofPage = Extract<AccountPage, { readonly way: string }>;

/** For each kind of proof: its instruction, the label of its field, and its name. */
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
  password: { text: 'account.proof.passwordText', field: 'account.password.title', use: 'account.proof.usePassword' },
  email: { text: 'account.proof.emailText', field: 'account.proof.messageCode', use: 'account.proof.useEmail' },
} as const satisfies Readonly<Record<ProofWay, Readonly<Record<'text' | 'field' | 'use', MessageKey>>>>;

/** The form for the proof that a change requires. The change is made afterwards. */
export function Proof({ page }: { readonly page: ProofPage }) {
  const { model, t } = useWidget();
  const { mfa } = useBootstrap();
  const { way } = page;
  const { text, field: label, use } = TEXTS[way];
  const checking = page.at === 'checking';
  const isPasskey = way === 'webauthn';
  const isPassword = way === 'password';
  const ways = page.isLogin ? loginWays(page.user) : proofWays(page.user, mfa?.factors ?? null);
  const others = ways.filter((each) => each !== way || each === 'text' || each === 'email');
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
          const code = isPassword ? field('code') : plainCode(field('code'));
          if (isPasskey || code !== '') model.send({ type: 'account/proven', code });
        }}
      >
        {!isPasskey && (
          <Field
            name="code"
            label={t(label)}
            type={isPassword ? 'password' : 'text'}
            dir={isPassword ? 'auto' : 'ltr'}
            autoComplete={isPassword ? 'current-password' : way === 'recovery' ? 'off' : 'one-time-code'}
            inputMode={isPassword || way === 'recovery' ? 'text' : 'numeric'}
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
