/** What the list of countries says. */
export const phones = {
  'country.choose': 'Choose a country',
  'country.search': 'Search by name or code',
  'country.none': 'No country found',
} as const;
