import { consent as texts } from '../../messages/en/consent.ts';
import css from '../../theme/parts/consent.css?inline';
import pagesCss from '../../theme/parts/pages.css?inline';
import deviceCss from '../../theme/parts/consent-device.css?inline';
import trustCss from '../../theme/parts/consent-trust.css?inline';
import type { Parts } from '../parts.ts';
import { IDPConsent } from './IDPConsent.tsx';

/** The screen on which a person authorizes another app, or confirms a logout that the app requests. */
export const part: Parts['consent'] = {
  texts,
  styles: [pagesCss, css + trustCss + deviceCss],
  screens: { IDPConsent },
};
