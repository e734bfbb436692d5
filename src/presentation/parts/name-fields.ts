import type { NameField } from '#domain/sessions/profile.ts';

/** What browsers fill into the fields of a name (HTML, `autocomplete`). */
export const NAME_COMPLETIONS: Readonly<Record<NameField, string>> = {
  first_name: 'given-name',
  middle_name: 'additional-name',
  last_name: 'family-name',
};
