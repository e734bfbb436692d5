import { addTexts } from '../../messages/catalogue.ts';
import { consent } from '../../messages/en/consent.ts';
import { IDPConsent } from '../IDPConsent.tsx';
import type { ScreensOf } from '../part-names.ts';
import type { LateScreens } from '../screen-props.ts';

addTexts(consent);

export const screens: LateScreens<ScreensOf<'consent'>> = {
  IDPConsent,
};
