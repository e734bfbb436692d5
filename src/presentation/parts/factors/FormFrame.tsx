import { choicesOf, recoveryStage, type FactorFormState, type FactorTask } from '#domain/sessions/second-factor.ts';
import { Button } from '../../components/Button.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import type { Elements } from '../../elements.ts';

/** The props of each form of the second factor. */
export interface FormProps {
  readonly flow: FactorFormState;
}

interface Props extends FormProps {
  readonly title: string;
  /** The form that the back button leads to. Without it, the back button leaves the login. */
  readonly before?: FactorTask;
  readonly children: Elements;
}

/** The frame of a form: its heading, and the way back. If a session proves a factor again, there is no login to return to. */
export function FormFrame({ flow, title, before, children }: Props) {
  const { model } = useWidget();
  const leave = (): void => model.send({ type: 'back' });
  const back = before === undefined ? leave : (): void => model.send({ type: 'factor/opened', task: before });
  const isFirst = before === undefined && flow.isStepUp;
  return (
    <ScreenFrame title={title} {...(!isFirst && { onBack: back })}>
      {children}
    </ScreenFrame>
  );
}

/** The box with which the person trusts this browser, if the project allows that and a login is being completed. */
export function Trust({ flow }: FormProps) {
  const { model, t } = useWidget();
  const id = useOwnId();
  const { trusted_device_days: days } = flow.step;
  if (days === null || flow.isStepUp) return null;
  return (
    <div data-part="trust">
      <input
        id={id}
        form=""
        type="checkbox"
        checked={flow.trusts}
        aria-describedby={`${id}-text`}
        onChange={({ currentTarget: { checked } }) => model.send({ type: 'factor/trusted', trusts: checked })}
      />
      <label htmlFor={id}>{days === 1 ? t('factor.trust.one') : t('factor.trust', { days: String(days) })}</label>
      <p id={`${id}-text`} data-part="details">
        {t('factor.trust.text')}
      </p>
    </div>
  );
}

/** The link to the list of the other factors, if there are others. */
export function OtherWays({ flow }: FormProps) {
  const { model, t } = useWidget();
  if (choicesOf(flow.step).length < 2) return null;
  return (
    <Button
      look="link"
      off={flow.at === 'working'}
      onPress={() => model.send({ type: 'factor/opened', task: { kind: 'choice' } })}
    >
      {t('factor.other')}
    </Button>
  );
}

/** The link to the recovery of an account whose second factors are lost, if the project offers it. */
export function Lost({ flow }: FormProps) {
  const { model, t } = useWidget();
  if (flow.step.recovery === null || flow.isStepUp) return null;
  const isBegun = recoveryStage(flow.step, model.clock.now()) !== 'none';
  return (
    <Button
      look="link"
      off={flow.at === 'working'}
      onPress={() => model.send({ type: 'factor/opened', task: { kind: 'recovery' } })}
    >
      {t(isBegun ? 'factor.lost.pending' : 'factor.lost')}
    </Button>
  );
}
