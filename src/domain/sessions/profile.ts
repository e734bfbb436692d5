import type { AuthError } from '../errors.ts';
import { isRecord } from '../shape.ts';

/** A text in one language, or in several by their codes, such as `{ en: 'Company', de: 'Firma' }`. */
export type LocalText = string | Readonly<Record<string, string>>;

/** The fields that are parts of the user's name. The values of all others are in `untrusted_metadata`. */
export const NAME_FIELDS = ['first_name', 'middle_name', 'last_name'] as const;

export type NameField = (typeof NAME_FIELDS)[number];

export const isNameField = (field: string): field is NameField => NAME_FIELDS.some((each) => each === field);

/** A value from which the user chooses. */
export interface ProfileOption {
  /** What is stored. */
  readonly value: string;
  readonly label: LocalText;
}

/** A field that the project asks its users to fill in. */
export interface ProfileField {
  /** A part of the name, or a key of `untrusted_metadata`. */
  readonly field: string;
  /** Null for a part of the name, which every language has a word for. */
  readonly label: LocalText | null;
  readonly required: boolean;
  /** The values from which the user chooses; null for any text. */
  readonly options: readonly ProfileOption[] | null;
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

/** The name of a control in a form, as the server names the value that it refuses. */
export const fieldControl = ({ field }: Pick<ProfileField, 'field'>): string => `fields.${field}`;
export const termsControl = ({ terms_id }: Pick<ProfileTerms, 'terms_id'>): string => `terms.${terms_id}`;

/** The control whose value the server refused, or `fields` or `terms` for a value without one; null for another error. */
export function refusedControl(error: AuthError | null): string | null {
  if (error?.error_type !== 'invalid_profile' || !isRecord(error.error_details)) return null;
  const { field } = error.error_details;
  return typeof field === 'string' ? field : null;
}

const baseOf = (language: string): string => language.split('-')[0] ?? language;

/** The text in a language, else in the language without its region or with another one, in English, or in the first that there is. */
export function textIn(text: LocalText, language: string): string {
  if (typeof text === 'string') return text;
  const base = baseOf(language);
  const near = Object.keys(text).find((code) => baseOf(code) === base) ?? 'en';
  return text[language] ?? text[base] ?? text[near] ?? Object.values(text)[0] ?? '';
}
