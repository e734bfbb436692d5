import { CALLING_CODES } from '../../../domain/calling-codes.ts';
import { DEFAULT_COUNTRY } from '../../../domain/phone.ts';
import { addTexts } from '../../messages/catalogue.ts';
import { phone } from '../../messages/en/phone.ts';
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
export { flagOf } from '../../components/flag.ts';
export { moveTab } from '../../components/move-tab.ts';
export { PhoneHelp } from '../../components/PhoneHelp.tsx';
export { countryName } from '../../messages/country-name.ts';
