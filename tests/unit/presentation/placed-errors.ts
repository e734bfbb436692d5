/** Errors of requests, and the texts that say them. */
import { apiError } from '../../gallery/fixtures.ts';

/** Types that some form shows at its field, and one that none does. */
export const SPECIAL = [
  'invalid_phone_number',
  'invalid_phone_number_country_code',
  'unable_to_auth_magic_link',
  'unauthorized_credentials',
  'otp_code_not_found',
  'brand_new',
].map((type) => apiError(type));

/** The visible texts of errors. */
export const texts = (): readonly Element[] =>
  [...document.querySelectorAll('[data-part=said]')].filter((text) => text.closest('[hidden]') === null);
