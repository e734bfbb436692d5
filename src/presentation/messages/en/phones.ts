/** The texts of the list of countries, and of a number that the login refuses. */
export const phones = {
  'phone.invalid': 'Phone number format is invalid. Ensure the phone number is in the E.164 format.',
  'country.choose': 'Choose a country',
  'country.search': 'Search by name or code',
  'country.none': 'No country found',
} as const;
