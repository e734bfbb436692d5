import { EMPTY, filter, firstValueFrom, merge, takeUntil, type Observable } from 'rxjs';
import { toAuthError } from '#domain/thrown.ts';
import { FACTOR_TABLE, type FactorEvent } from '#domain/screens/factor-flow.ts';
import type { Outcome } from '#domain/screens/event.ts';
import type { MfaStep, MissingProof } from '#domain/sessions/mfa.ts';
import { beginStep, type FactorState } from '#domain/sessions/second-factor.ts';
import { stepUpStep } from '#domain/rules/step-up.ts';
import { isRecord } from '#domain/shape.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { runFlow, type FlowPlace } from '../../../use-cases/run-flow.ts';
import type { EffectContext } from '../../widget-store.ts';
import { whenReady } from '../attempt.ts';
import { FactorRequests, type FactorServices } from './factor-requests.ts';

/** A passkey is offered first if this device can store one, and not at all if none can be created. */
async function forDevice(step: MfaStep, { passkeys }: Pick<FactorServices, 'passkeys'>): Promise<MfaStep> {
  if (!step.enrol.includes('webauthn')) return step;
  const creation = await passkeys.creation().catch(() => 'elsewhere' as const);
  const others = step.enrol.filter((factor) => factor !== 'webauthn');
  const ordered = { here: ['webauthn', ...others], elsewhere: [...others, 'webauthn'], none: others } as const;
  return { ...step, enrol: ordered[creation] };
}

/**
 * A proof can be followed by another step: an authenticator app that the project no longer accepts allows the enrolment of another factor.
 */
async function withNextStep(event: FactorEvent, services: FactorServices): Promise<FactorEvent> {
  const reply: unknown = event.type === 'verified' ? event.reply : null;
  if (!isRecord(reply) || !isRecord(reply['mfa'])) return event;
  return { type: 'stepKnown', step: await forDevice(reply['mfa'] as unknown as MfaStep, services) };
}

/** The step of a login that this client has just begun, which the screen shows. */
export function openStep(services: FactorServices, step: MfaStep, isConsent: boolean): Observable<Outcome> {
  return whenReady(async () => {
    const flow = beginStep(await forDevice(step, services));
    return { type: 'factor/required', flow, isConsent } as const;
  });
}

/** The requirements of an app's request for a session, on the consent page. */
const TWO_FACTORS: MissingProof = { factors: [], reason: 'second-factor' };

/** The step of a signed-in user, whose session may have to be checked first. */
async function readStepUp(services: FactorServices, lacks: MissingProof): Promise<FactorEvent> {
  const { account, refresher, sessions, project } = services;
  await firstValueFrom(refresher.checking$.pipe(filter((checking) => !checking)), { defaultValue: false });
  if (sessions.state().user === null && sessions.mayBeSignedIn()) await account.get();
  const { session, user } = sessions.state();
  if (session === null || user === null) return { type: 'loginNeeded' };
  const { mfa } = await project.bootstrap();
  const step = stepUpStep({ session, user }, lacks, mfa?.factors ?? null);
  return step === null ? { type: 'loginNeeded' } : { type: 'stepKnown', step: await forDevice(step, services) };
}

/** Runs the screen of the second factor until the person leaves it. The step of a reloaded page is read first. */
export function factorFlow(
  services: FactorServices,
  config: () => LoginConfig,
  { events$, getState }: EffectContext,
): Observable<Outcome> {
  const requests = new FactorRequests(services, config);
  const read = async (): Promise<FactorEvent> => {
    const flow = place.read();
    const { stepUp } = config();
    try {
      if ('isStepUp' in flow && flow.isStepUp) return await readStepUp(services, stepUp ?? TWO_FACTORS);
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
    whenReady(async (signal) =>
      command.do === 'load'
        ? read()
        : withNextStep(await requests.make(command.request, command.form, signal), services),
    ),
  ).pipe(takeUntil(events$.pipe(filter(() => getState().screen.name !== 'SecondFactor'))));
}
