import { EMPTY, filter, merge, takeUntil, type Observable } from 'rxjs';
import { toAuthError } from '../../../domain/errors.ts';
import { FACTOR_TABLE, type FactorEvent } from '../../../domain/screens/factor-flow.ts';
import type { Outcome } from '../../../domain/screens/event.ts';
import type { MfaStep } from '../../../domain/sessions/mfa.ts';
import { beginStep, type FactorState } from '../../../domain/sessions/second-factor.ts';
import type { LoginConfig } from '../../../domain/widget/widget-config.ts';
import { runFlow, type FlowPlace } from '../../use-cases/run-flow.ts';
import type { EffectContext } from '../widget-store.ts';
import { whenReady } from './attempt.ts';
import { FactorRequests, type FactorServices } from './factor-requests.ts';

/** A passkey is offered first where this device can keep one, and not at all where none can be created. */
async function forDevice(step: MfaStep, { passkeys }: Pick<FactorServices, 'passkeys'>): Promise<MfaStep> {
  if (!step.enrol.includes('webauthn')) return step;
  const creation = await passkeys.creation().catch(() => 'elsewhere' as const);
  const others = step.enrol.filter((factor) => factor !== 'webauthn');
  const ordered = { here: ['webauthn', ...others], elsewhere: [...others, 'webauthn'], none: others } as const;
  return { ...step, enrol: ordered[creation] };
}

/** The step of a login that this client has just begun: the screen shows it. */
export function openStep(services: FactorServices, step: MfaStep, isConsent: boolean): Observable<Outcome> {
  return whenReady(async () => {
    const flow = beginStep(await forDevice(step, services));
    return { type: 'factor/required', flow, isConsent } as const;
  });
}

/** Runs the screen of the second factor until the person leaves it. The step of a page that was loaded again is read first. */
export function factorFlow(
  services: FactorServices,
  config: () => LoginConfig,
  { events$, getState }: EffectContext,
): Observable<Outcome> {
  const requests = new FactorRequests(services, config);
  const read = async (): Promise<FactorEvent> => {
    try {
      const { mfa } = await services.secondFactor.status();
      return { type: 'stepKnown', step: await forDevice(mfa, services) };
    } catch (error) {
      return { type: 'unreachable', error: toAuthError(error) };
    }
  };
  const place: FlowPlace<FactorState> = {
    read: () => {
      const { screen } = getState();
      return screen.name === 'SecondFactor' ? screen.flow : { at: 'gone' };
    },
    write: (flow) => [{ type: 'factor/changed', flow }],
  };
  const arrival = place.read().at === 'arriving' ? whenReady(read) : EMPTY;
  return runFlow(FACTOR_TABLE, place, merge(events$, arrival), (command) =>
    whenReady((signal) => (command.do === 'load' ? read() : requests.make(command.request, command.trusts, signal))),
  ).pipe(takeUntil(events$.pipe(filter(() => getState().screen.name !== 'SecondFactor'))));
}
