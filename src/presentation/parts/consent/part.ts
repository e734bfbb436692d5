import { addTexts } from '../../messages/catalogue.ts';
import { consent } from '../../messages/en/consent.ts';
import css from '../../theme/parts/consent.css?inline';
import { addStyles } from '../../theme/stylesheet.ts';
import { IDPConsent } from './IDPConsent.tsx';
import type { ScreensOf } from '../part-names.ts';
import type { LateScreens } from '../screen-props.ts';

addTexts(consent);
addStyles(css);

export const screens: LateScreens<ScreensOf<'consent'>> = {
  IDPConsent,
};
