import { mergeName } from './accounts.ts';
import { mergeJson } from './metadata.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import {
  isNameField,
  type LocalText,
  type Profile,
  type ProfileEntry,
  type ProfileField,
  type ProfileOption,
} from '#domain/sessions/profile.ts';
import type { MfaStep } from '#domain/sessions/mfa.ts';
import type { UserName } from '#domain/users/user.ts';

/** A field that the project asks its users to fill in. */
export type FieldRule = Omit<ProfileField, 'value'>;

/** Terms that the project's users accept. */
export interface TermsRule {
  readonly terms_id: string;
  readonly version: string;
  readonly title: LocalText;
  readonly url: string;
}

/** What the project asks of its users. */
export interface ProfileRules {
  readonly fields: readonly FieldRule[];
  readonly terms: readonly TermsRule[];
  /** The page to which a client that cannot ask sends its user. */
  readonly url: string;
}

/** The last accepted version of each terms, by their ids. `accepted_at` is in the format of RFC 3339. */
export type AcceptedTerms = Readonly<
  Record<string, { readonly version: string; readonly accepted_at: string } | undefined>
>;

/** The data of a user from which their profile is read. */
export interface ProfileOwner {
  readonly name: UserName;
  readonly untrusted_metadata: Readonly<Record<string, unknown>>;
  readonly accepted_terms: AcceptedTerms;
}

/** The most characters of a value: as many as a part of a name has. */
const MOST_CHARACTERS = 128;
/** One line, without characters that nobody sees. Two of them belong to the letters of some scripts. */
const VISIBLE = /^(?:[^\p{C}\p{Zl}\p{Zp}]|[\u200C\u200D])*$/u;
/** Nothing to see, although some of these characters are letters or signs, such as the filler of Hangul. */
const BLANK = /^[\p{Default_Ignorable_Code_Point}\s\u2800]+$/u;

const hasOption = (options: readonly ProfileOption[], value: string): boolean =>
  options.some((option) => option.value === value);

function valueOf({ field, options }: FieldRule, { name, untrusted_metadata }: ProfileOwner): string {
  const stored: unknown = isNameField(field) ? name[field] : untrusted_metadata[field];
  const value = ['string', 'number', 'boolean'].includes(typeof stored) ? String(stored).trim() : '';
  return options === null || hasOption(options, value) ? value : '';
}

/** Everything that the project asks for, with the user's values. */
export function profileOf(rules: ProfileRules, owner: ProfileOwner): Profile {
  return {
    fields: rules.fields.map((rule) => ({ ...rule, value: valueOf(rule, owner) })),
    terms: rules.terms.map(({ terms_id, version, title, url }) => {
      const accepted = owner.accepted_terms[terms_id];
      return {
        terms_id,
        version,
        title,
        url,
        accepted_at: accepted?.version === version ? accepted.accepted_at : null,
      };
    }),
  };
}

/**
 * What a login of the user lacks; null if it lacks nothing. An optional field is asked for only beside a required one, so that a person who
 * left it empty is not asked again at each login.
 */
export function missingProfile(rules: ProfileRules, owner: ProfileOwner): Profile | null {
  const { fields, terms } = profileOf(rules, owner);
  const isAsked = fields.some(({ required, value }) => required && value === '');
  const missing = {
    fields: isAsked ? fields.filter(({ value }) => value === '') : [],
    terms: terms.filter(({ accepted_at }) => accepted_at === null),
  };
  return missing.fields.length + missing.terms.length === 0 ? null : missing;
}

/** The names of what is required, such as `company, terms of use`. */
const namesOf = ({ fields, terms }: Profile): string =>
  [
    ...fields.filter(({ required }) => required).map(({ field }) => field),
    ...terms.map(({ terms_id }) => terms_id),
  ].join(', ');

/**
 * The refusal of a login whose client cannot ask for what is missing. It names the page that can. A client sends the named fields to get
 * a step instead (`IntermediateReply`).
 *
 * @param missing null for a person who has proved one of two factors
 */
export function cannotAsk({ url }: ProfileRules, missing: Profile | null): Refusal {
  return new Refusal('profile_required', `This site needs more from you first. Continue at ${url}`, undefined, {
    ...(missing === null ? {} : { missing: namesOf(missing) }),
    url,
    // By this name the client of this repository sees that it can repeat the call.
    mfa_code_challenge: 'sent together with asks_profile, it begins a login that the profile completes',
  });
}

/** Its message is for the person. Developers read what the value must do, such as `be one of its options`. */
function wrongValue(field: string, must: string): Refusal {
  return new Refusal('invalid_profile', undefined, undefined, { field, must });
}

function checkedValue({ field, options }: FieldRule, value: unknown): string {
  if (typeof value !== 'string') throw wrongValue(`fields.${field}`, 'be a string');
  const text = value.trim();
  if (text.length > MOST_CHARACTERS || !VISIBLE.test(text) || BLANK.test(text)) {
    throw wrongValue(`fields.${field}`, `be one line of at most ${MOST_CHARACTERS} visible characters`);
  }
  if (options !== null && text !== '' && !hasOption(options, text))
    throw wrongValue(`fields.${field}`, 'be one of its options');
  return text;
}

/** What a request enters. Throws a Refusal that names the first wrong field. */
export function readEntry(
  rules: ProfileRules,
  body: { readonly fields?: object | undefined; readonly terms?: object | undefined },
): ProfileEntry {
  const fields = Object.entries(body.fields ?? {}).map(([field, value]): [string, string] => {
    const rule = rules.fields.find((each) => each.field === field);
    if (rule === undefined) throw wrongValue('fields', 'be fields of the profile');
    return [field, checkedValue(rule, value)];
  });
  const terms = Object.entries(body.terms ?? {}).map(([terms_id, version]): [string, string] => {
    const rule = rules.terms.find((each) => each.terms_id === terms_id);
    if (rule === undefined) throw wrongValue('terms', 'be terms of the profile');
    if (version !== rule.version) throw wrongValue(`terms.${terms_id}`, 'be the current version: show its text first');
    return [terms_id, rule.version];
  });
  return { fields: Object.fromEntries(fields), terms: Object.fromEntries(terms) };
}

/**
 * Leaves out what the user has already: a value that another system stored as a number stays one, and whoever accepted a version keeps the
 * time of the first time. Throws a Refusal for values that are too long together with the metadata of the user.
 *
 * @param now in the format of RFC 3339
 */
export function changesBy(
  rules: ProfileRules,
  { fields, terms }: ProfileEntry,
  owner: ProfileOwner,
  now: string,
): ProfileOwner {
  const changed = rules.fields.filter((rule) => {
    const value = fields[rule.field];
    return value !== undefined && value !== valueOf(rule, owner);
  });
  const entries = changed.map(({ field }): [string, string] => [field, fields[field] ?? '']);
  const metadata = entries.filter(([field]) => !isNameField(field));
  const before = owner.accepted_terms;
  const accepted = Object.entries(terms).filter(([id, version]) => before[id]?.version !== version);
  return {
    name: mergeName(owner.name, Object.fromEntries(entries.filter(([field]) => isNameField(field)))),
    untrusted_metadata: mergeJson(
      owner.untrusted_metadata,
      Object.fromEntries(metadata.map(([field, value]) => [field, value === '' ? null : value])),
      (must) => {
        throw wrongValue('fields', must);
      },
      { because: ' together with untrusted_metadata of the user' },
    ),
    accepted_terms: {
      ...before,
      ...Object.fromEntries(accepted.map(([id, version]) => [id, { version, accepted_at: now }])),
    },
  };
}

/** Refuses an entry that leaves something required missing in a login. */
export function requireComplete(rules: ProfileRules, owner: ProfileOwner): void {
  const missing = missingProfile(rules, owner);
  if (missing === null) return;
  throw new Refusal('profile_required', undefined, undefined, { missing: namesOf(missing) });
}

/** Refuses to empty a required field. */
export function requireFields(rules: ProfileRules, { fields }: ProfileEntry): void {
  const empty = rules.fields.find(({ field, required }) => required && fields[field] === '');
  if (empty !== undefined) throw wrongValue(`fields.${empty.field}`, 'be filled in');
}

/** The step of a login that lacks only its profile. */
export function profileStep(user_id: string, profile: Profile, expires_at: Date): MfaStep {
  return {
    factors: [],
    phone_numbers: [],
    enrol: [],
    expires_at: expires_at.toISOString(),
    trusted_device_days: null,
    recovery: null,
    recovery_pending: null,
    profile: { ...profile, user_id },
  };
}
