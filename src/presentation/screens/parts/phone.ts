import { addTexts } from '../../messages/catalogue.ts';
import { phone } from '../../messages/en/phone.ts';
import { addStyles } from '../../theme/stylesheet.ts';
import css from '../../theme/parts/phone.css?inline';

/** The list of countries behind the telephone form. */
addTexts(phone);
addStyles(css);

export { CALLING_CODES } from '../../../domain/calling-codes.ts';
export { withoutCallingCode } from '../../../domain/phone-number.ts';
export { CountryPicker } from '../../components/CountryPicker.tsx';
