import { useEffect, useRef } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { busySection, formError } from '#domain/account/account.ts';
import { takeFocus } from '../../hooks/focus.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { usePart } from '../parts.ts';
import { Cancel, Opener } from './controls.tsx';
import { Section, taskOf, type SectionProps } from './Section.tsx';

/** The password. A new one is checked like at the sign-up. */
export function Password({ page, state }: SectionProps) {
  const { model, loadPart, t } = useWidget();
  const part = usePart('passwords');
  const isOpen = taskOf(page)?.kind === 'password';
  useEffect(() => {
    if (isOpen) loadPart('passwords').catch(() => undefined);
  }, [isOpen, loadPart]);
  const form = useRef<HTMLDivElement>(null);
  const isShown = isOpen && part !== null;
  useBeforePaint(() => {
    const field = isShown ? form.current?.querySelector<HTMLElement>('[data-focus]') : null;
    if (field) takeFocus(field);
  }, [isShown]);
  const has = Boolean(page.user.password);
  const email = page.user.emails?.[0]?.email;
  return (
    <Section name="password" page={page}>
      <p data-part="text">
        {t(has ? 'account.password.is' : email === undefined ? 'account.password.noEmail' : 'account.password.none')}
      </p>
      {email !== undefined && !isOpen && (
        <Opener task={{ kind: 'password' }}>{t(has ? 'account.password.change' : 'account.password.set')}</Opener>
      )}
      {email !== undefined && isOpen && (
        <div ref={form} data-part="task" tabIndex={-1}>
          {part === null ? (
            <p data-part="text">{t('loading')}</p>
          ) : (
            <part.NewPasswordForm
              email={email}
              label={t('password.newField')}
              strength={state.strength}
              error={formError(page)}
              isOfPassword={page.failed?.kind === 'password'}
              busy={busySection(page) === 'password'}
              off={page.at === 'working'}
              onSubmit={(password) => model.send({ type: 'account/asked', change: { kind: 'password', password } })}
              note={<p data-part="details">{t('account.password.hint')}</p>}
            >
              {/* Password managers read a hidden text field, but not `type=hidden`. */}
              <input type="text" hidden name="username" autoComplete="username" value={email} readOnly />
            </part.NewPasswordForm>
          )}
          <Cancel off={page.at === 'working'} />
        </div>
      )}
    </Section>
  );
}
