import { CALLING_CODES } from '../../../domain/calling-codes.ts';
import { DEFAULT_COUNTRY } from '../../../domain/phone.ts';
import { addTexts } from '../../messages/catalogue.ts';
import { phone } from '../../messages/en/phones.ts';
import { addStyles } from '../../theme/stylesheet.ts';
import css from '../../theme/parts/phone.css?inline';

/** What helps with the telephone form and the tabs, once they stand. */
addTexts(phone);
addStyles(css);

/** The country, or the default one where there is no such country. */
export function knownCountry(country: string): string {
  return CALLING_CODES.has(country) ? country : DEFAULT_COUNTRY;
}

export { CALLING_CODES };
export { flagOf } from './flag.ts';
export { moveTab } from './move-tab.ts';
export { PhoneHelp } from './PhoneHelp.tsx';
export { countryName } from './country-name.ts';
