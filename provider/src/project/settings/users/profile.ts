import type { FieldRule, ProfileRules, TermsRule } from '#server-rules/profile.ts';
import { isNameField, type LocalText, type ProfileOption } from '#domain/sessions/profile.ts';
import { allowsOrigin, type RegisteredPages } from '#domain/rules/redirects.ts';
import { safeUrl } from '#domain/safe-url.ts';
import { isRecord } from '#domain/shape.ts';
import {
  distinct,
  FieldError,
  flag,
  listOf,
  Mistakes,
  object,
  textThat,
  within,
  type Reader,
} from '../../readers/readers.ts';

const MOST_FIELDS = 20;
const MOST_TERMS = 10;
const MOST_OPTIONS = 100;
/** Keys that metadata cannot have. */
const FORBIDDEN: ReadonlySet<string> = new Set(['constructor', 'prototype']);

const NAME = textThat(
  'small letters, digits and underscores, at most 40, beginning with a letter',
  (name) => /^[a-z][a-z0-9_]{0,39}$/u.test(name) && !FORBIDDEN.has(name),
);
const LINE = textThat('1 to 120 visible characters', (line) => /^(?:[^\p{C}]|[\u200C\u200D]){1,120}$/u.test(line));
const VERSION = textThat('1 to 40 visible characters without blanks', (version) => /^[^\p{C}\s]{1,40}$/u.test(version));
const PAGE = textThat('an https URL, or http on this machine', (value) => safeUrl(value) !== null);
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/u;

/** A text, or an object with one for each language. */
const localText: Reader<LocalText> = (value, path) => {
  if (!isRecord(value)) return LINE(value, path);
  const languages = Object.keys(value);
  if (languages.length === 0 || !languages.every((language) => LANGUAGE.test(language))) {
    throw new FieldError(path, 'a text, or one for each language, such as { "en": "Company", "de": "Firma" }');
  }
  const mistakes = new Mistakes();
  const lines = languages.map((language): [string, string] => [
    language,
    mistakes.attempt(() => LINE(value[language], within(path, language))) ?? '',
  ]);
  mistakes.check();
  return Object.fromEntries(lines);
};

const few =
  <T>(most: number, read: Reader<readonly T[]>): Reader<readonly T[]> =>
  (value, path) => {
    const items = read(value, path);
    if (items.length > most) throw new FieldError(path, `a list of at most ${most}`);
    return items;
  };

const labelled = object<ProfileOption>({ value: LINE, label: localText });

/** A text is both the value and its label. */
const option: Reader<ProfileOption> = (value, path) => {
  if (isRecord(value)) return labelled(value, path);
  const line = LINE(value, path);
  return { value: line, label: line };
};

const options: Reader<readonly ProfileOption[]> = (value, path) => {
  const found = few(MOST_OPTIONS, listOf(option))(value, path);
  if (found.length === 0 || new Set(found.map((each) => each.value)).size < found.length)
    throw new FieldError(path, 'different values, at least one');
  return found;
};

const field: Reader<FieldRule> = (value, path) => {
  const rule = object<FieldRule>(
    { field: NAME, label: localText, required: flag, options },
    { label: null, required: true, options: null },
  )(value, path);
  if (rule.label === null && !isNameField(rule.field)) {
    throw new FieldError(`${path}.label`, 'given: only first_name, middle_name and last_name have one of their own');
  }
  return rule;
};

const terms = object<TermsRule>({ terms_id: NAME, version: VERSION, title: localText, url: PAGE });

const rules = object<ProfileRules>(
  {
    fields: distinct('field', (each: FieldRule) => each.field, few(MOST_FIELDS, listOf(field))),
    terms: distinct('terms_id', (each: TermsRule) => each.terms_id, few(MOST_TERMS, listOf(terms))),
    url: PAGE,
  },
  { fields: [], terms: [] },
);

/** The setting `profile` of the project file. */
export const profileRules: Reader<ProfileRules | null> = (value, path) => {
  const read = rules(value, path);
  if (read.fields.length + read.terms.length === 0)
    throw new FieldError(`${path}.fields`, 'not empty, unless there are terms');
  return read;
};

/** Refuses a page that could not call this server. */
export function checkProfile(project: RegisteredPages & { readonly profile: ProfileRules | null }): void {
  if (project.profile === null || allowsOrigin(project, new URL(project.profile.url).origin)) return;
  throw new FieldError('profile.url', 'on one of origins: it is the page of yours where people log in');
}
