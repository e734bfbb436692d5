import { EMPTY, from, mergeMap, of } from 'rxjs';
import { needsSecondFactor } from '#domain/errors.ts';
import type { Outcome } from '#domain/screens/event.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { ofType } from '../attempt.ts';
import type { FactorServices } from '../sessions/factor-requests.ts';
import { lackingFactorEffect } from '../sessions/lacking-factor.ts';
import { lackingEffect } from '../start-effects.ts';

const arriving = (isStepUp: boolean): Outcome => ({
  type: 'factor/required',
  flow: { at: 'arriving', isStepUp },
  isConsent: true,
});

/**
 * A session or login that lacks its second factor completes it on the consent page, because of the project's policy, or because the app
 * requires two factors (`acr`). Then the authorization begins again.
 */
export function consentFactorEffects(
  services: FactorServices & Services<'lifecycle'>,
  config: () => LoginConfig,
): readonly Effect[] {
  const { sessions, lifecycle, project } = services;
  const hasPolicy = (): boolean => project.lastKnown().mfa !== null;
  /** If the policy requires it, the server answers with the missing step. Otherwise the continuing session lacks what the app requires. */
  const needsStepUp = async (): Promise<boolean> => {
    await lifecycle.authenticate();
    return sessions.state().session !== null && sessions.intermediateToken() === null && hasPolicy();
  };
  const short: Effect = ({ events$ }) =>
    ofType(events$, 'consent/changed').pipe(
      mergeMap(({ consent }) => {
        if (consent.status === 'error' && consent.error !== null && needsSecondFactor(consent.error)) {
          return from(needsStepUp().catch(() => false)).pipe(mergeMap((steps) => (steps ? of(arriving(true)) : EMPTY)));
        }
        const isShort = sessions.intermediateToken() !== null && project.lastKnown().hasSteps;
        return consent.status === 'noSession' && isShort ? of(arriving(false)) : EMPTY;
      }),
    );
  return [lackingEffect(sessions), short, lackingFactorEffect(services, config, true)];
}
