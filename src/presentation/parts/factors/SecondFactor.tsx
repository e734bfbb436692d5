import { useMemo, useRef } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import type { FactorState } from '#domain/sessions/second-factor.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { takeFocus } from '../../hooks/focus.ts';
import { useWidget, WidgetContext } from '../../hooks/useWidget.ts';
import { FACTOR_TEXTS } from '../../messages/factor-texts.ts';
import { makeTranslate } from '../../messages/catalogue.ts';
import { useLateTexts } from '../../messages/useLateTexts.ts';
import type { ScreenProps } from '../parts.ts';
import { AddPhone, Confirm, Enrolment, SaveCodes, Scan } from './enrolment.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { Recovery } from './Recovery.tsx';
import { Choice, PasskeyProof, RecoveryCodeProof, TextProof, TotpProof } from './proofs.tsx';

/** The second factor of a login. Waits for its texts in the widget's language, which load separately from the login's. */
export function SecondFactor({ screen: { flow }, state }: ScreenProps<'SecondFactor'>) {
  const tools = useWidget();
  const { language, strings: overrides } = tools;
  const translated = useLateTexts(FACTOR_TEXTS, language);
  const own = useMemo(() => {
    if (translated === null) return null;
    const strings = { ...translated, ...overrides };
    return { ...tools, strings, t: makeTranslate(strings) };
  }, [tools, translated, overrides]);
  const place = useRef<HTMLDivElement>(null);
  useFormFocus(place, own === null || flow.at === 'arriving' ? null : formOf(flow));
  return (
    <div ref={place} data-part="second-factor">
      {own === null ? (
        <Waiting />
      ) : (
        <WidgetContext.Provider value={own}>
          <Form flow={flow} state={state} />
        </WidgetContext.Provider>
      )}
    </div>
  );
}

/** Identifies the form. A recovery that has begun counts as another form than the button that begins it. */
function formOf(flow: FactorState): string {
  if (!('task' in flow)) return flow.at;
  const { task, step } = flow;
  return task.kind === 'recovery' && step.recovery_pending !== null ? 'recoveryBegun' : task.kind;
}

/** Moves the focus into each form that follows, and announces its heading. The widget itself does this for a screen's first form. */
function useFormFocus(place: { readonly current: HTMLElement | null }, form: string | null): void {
  const { announce } = useWidget();
  const before = useRef(form);
  const isFirst = useRef(true);
  useBeforePaint(() => {
    const changed = before.current !== form;
    before.current = form;
    if (isFirst.current || !changed || form === null) {
      isFirst.current = false;
      return;
    }
    const heading = place.current?.querySelector<HTMLElement>('h1');
    const target = place.current?.querySelector<HTMLElement>('[data-focus], form input[type=tel]') ?? heading;
    if (target) takeFocus(target);
    announce(heading?.textContent ?? '');
  }, [place, form, announce]);
}

function Waiting() {
  const { t } = useWidget();
  return (
    <output data-part="wait">
      <Icon name="spinner" />
      <span>{t('loading')}</span>
    </output>
  );
}

function Form({ flow, state }: { readonly flow: FactorState; readonly state: ScreenState }) {
  const { model, t } = useWidget();
  switch (flow.at) {
    case 'arriving':
    case 'gone':
      return <Waiting />;
    case 'failed':
      return (
        <ScreenFrame mark="alert" title={t('failure.title')}>
          <p data-part="text">
            <ErrorText error={flow.error} />
          </p>
          <div data-part="actions">
            <Button look="primary" onPress={() => model.send({ type: 'factor/retried' })}>
              {t('factor.retry')}
            </Button>
          </div>
        </ScreenFrame>
      );
    case 'over':
      return (
        <ScreenFrame mark="alert" title={t('factor.over.title')}>
          <p data-part="text">
            <ErrorText error={flow.error} />
          </p>
          <div data-part="actions">
            <Button look="primary" onPress={() => model.send({ type: 'back' })}>
              {t('factor.over.do')}
            </Button>
          </div>
        </ScreenFrame>
      );
    default:
  }
  const { task } = flow;
  switch (task.kind) {
    case 'choice':
      return <Choice flow={flow} />;
    case 'totp':
      return <TotpProof flow={flow} />;
    case 'recovery_code':
      return <RecoveryCodeProof flow={flow} />;
    case 'webauthn':
      return <PasskeyProof flow={flow} />;
    case 'text':
      return <TextProof flow={flow} />;
    case 'recovery':
      return <Recovery flow={flow} />;
    case 'enrolment':
      return flow.step.enrol.length > 0 ? <Enrolment flow={flow} /> : <Choice flow={flow} />;
    case 'scan':
      return <Scan flow={flow} totp={task.totp} />;
    case 'save':
      return <SaveCodes flow={flow} totp={task.totp} />;
    case 'confirm':
      return <Confirm flow={flow} totp={task.totp} />;
    case 'addPhone':
      return <AddPhone flow={flow} state={state} channel={task.channel} />;
    case 'profile':
      return <ProfileForm flow={flow} />;
  }
}
