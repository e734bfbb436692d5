/** A text in one language, or in several by their codes, such as `{ en: 'Company', de: 'Firma' }`. */
export type LocalText = string | Readonly<Record<string, string>>;

/** The fields that are parts of the user's name. The values of all others are in `untrusted_metadata`. */
export const NAME_FIELDS = ['first_name', 'middle_name', 'last_name'] as const;

export type NameField = (typeof NAME_FIELDS)[number];

export const isNameField = (field: string): field is NameField => NAME_FIELDS.some((each) => each === field);

/** A field that the project asks its users to fill in. */
export interface ProfileField {
  /** A part of the name, or a key of `untrusted_metadata`. */
  readonly field: string;
  /** Null for a part of the name, which every language has a word for. */
  readonly label: LocalText | null;
  readonly required: boolean;
  /** The values from which the user chooses; null for any text. */
  readonly options: readonly string[] | null;
  /** The user's value; empty for none. */
  readonly value: string;
}

/** Terms of the project that its users accept. */
export interface ProfileTerms {
  readonly terms_id: string;
  /** The version to accept. */
  readonly version: string;
  readonly title: LocalText;
  /** Where the text is. */
  readonly url: string;
  /** When the user accepted this version (RFC 3339); null if they have not. */
  readonly accepted_at: string | null;
}

/** What the project asks of its users. In a login that lacks it, only what is missing. */
export interface Profile {
  readonly fields: readonly ProfileField[];
  readonly terms: readonly ProfileTerms[];
}

/** What a login lacks, and whose login it is. */
export interface ProfileStep extends Profile {
  /** The answer names it, so that it is never stored for the user of a login in another tab. */
  readonly user_id: string;
}

/** What a user enters. */
export interface ProfileEntry {
  /** The values by the names of their fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** The accepted versions by the ids of their terms. */
  readonly terms: Readonly<Record<string, string>>;
}

/** The text in a language, else in the language without its region, in English, or in the first that there is. */
export function textIn(text: LocalText, language: string): string {
  if (typeof text === 'string') return text;
  const [base = language] = language.split('-');
  return text[language] ?? text[base] ?? text['en'] ?? Object.values(text)[0] ?? '';
}
