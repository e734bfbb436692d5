import { CALLING_CODES as callingCodes } from '#domain/contacts/calling-codes.ts';
import { DEFAULT_COUNTRY } from '#domain/contacts/phone.ts';
import { phones as texts } from '../../messages/en/phones.ts';
import css from '../../theme/parts/phone.css?inline';
import type { Parts } from '../parts.ts';
import { countryName } from './country-name.ts';
import { flagOf } from './flag.ts';
import { moveTab } from './move-tab.ts';
import { PhoneHelp } from './PhoneHelp.tsx';

/** The additions to the tabs and to the form for a phone number. */
export const part: Parts['phones'] = {
  texts,
  styles: [css],
  screens: {},
  PhoneHelp,
  callingCodes,
  /** The country, or the default country for an unknown code. */
  knownCountry: (country) => (callingCodes.has(country) ? country : DEFAULT_COUNTRY),
  countryName,
  flagOf,
  moveTab,
};
