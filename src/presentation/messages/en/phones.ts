/** The texts of the list of countries. */
export const phones = {
  'country.choose': 'Choose a country',
  'country.search': 'Search by name or code',
  'country.none': 'No country found',
} as const;
