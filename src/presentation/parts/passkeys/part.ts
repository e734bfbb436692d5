import { addTexts } from '../../messages/catalogue.ts';
import { passkeys } from '../../messages/en/passkeys.ts';
import { social } from '../../messages/en/social.ts';
import css from '../../theme/parts/passkeys.css?inline';
import { addStyles } from '../../theme/stylesheet.ts';
import { PasskeyConfirmation } from './PasskeyConfirmation.tsx';
import { PasskeyRegistrationStart } from './PasskeyRegistrationStart.tsx';
import { PasskeyRegistrationSuccess } from './PasskeyRegistrationSuccess.tsx';
import type { ScreensOf } from '../part-names.ts';
import type { LateScreens } from '../screen-props.ts';

addTexts(passkeys);
addTexts(social);
addStyles(css);

export const screens: LateScreens<ScreensOf<'passkeys'>> = {
  PasskeyConfirmation,
  PasskeyRegistrationStart,
  PasskeyRegistrationSuccess,
};
