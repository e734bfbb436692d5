import { EMPTY, mergeMap, of } from 'rxjs';
import { needsSecondFactor } from '../../../../domain/errors.ts';
import type { Outcome } from '../../../../domain/screens/event.ts';
import type { LoginConfig } from '../../../../domain/widget/widget-config.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { ofType } from '../attempt.ts';
import type { FactorServices } from '../sessions/factor-requests.ts';
import { lackingFactorEffect } from '../sessions/lacking-factor.ts';
import { lackingEffect } from '../start-effects.ts';

const ARRIVING: Outcome = { type: 'factor/required', flow: { at: 'arriving', isStepUp: false }, isConsent: true };

/** A session or login that lacks its second factor completes it on the consent page. The authorization then begins again. */
export function consentFactorEffects(
  services: FactorServices & Services<'lifecycle'>,
  config: () => LoginConfig,
): readonly Effect[] {
  const { sessions, lifecycle, project } = services;
  const short: Effect = ({ events$ }) =>
    ofType(events$, 'consent/changed').pipe(
      mergeMap(({ consent }) => {
        // The server answers with the step that the session lacks.
        const isRefused = consent.status === 'error' && consent.error !== null && needsSecondFactor(consent.error);
        if (isRefused) lifecycle.authenticate().catch(() => undefined);
        const isShort = sessions.intermediateToken() !== null && project.lastKnown().mfa !== null;
        return consent.status === 'noSession' && isShort ? of(ARRIVING) : EMPTY;
      }),
    );
  return [lackingEffect(sessions), short, lackingFactorEffect(services, config, true)];
}
