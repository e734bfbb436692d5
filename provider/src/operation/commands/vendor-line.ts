import { createHash } from 'node:crypto';
import { Refusal } from '#domain/rules/refusal.ts';
import { factorReaders } from '#provider/accounts/account/import-factors.ts';
import { checkExternalId } from '#provider/accounts/users/external-ids.ts';
import { checkImportedNumber, countryWithoutTexts } from '#provider/accounts/users/phone-numbers.ts';
import { isPhoneMethod } from '#domain/contacts/phone-method.ts';
import { isActive } from '#server-rules/mfa-policy.ts';
import { flawOf } from '../vendors/person/flaw.ts';
import type { Loss, VendorUser } from '../vendors/vendor.ts';
import { hasNoWayIn } from './import-report.ts';
import type { ActionRunner } from './operate.ts';

type Fields = Readonly<Record<string, unknown>>;
type Project = ActionRunner['project'];
/** Part of a line, and what the user loses by it. */
type Part = readonly [fields: Fields, losses: readonly Loss[]];

const UNPROVEN = 'none is proven, so without a login within 30 days the user is removed like an abandoned sign-up';
const INVALID = 'it is not a number of any country';
const MOST_ID = 128;

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as readonly Fields[]) : [];
}

function isAccepted(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** An id with characters that no external id has, in base64url; one that is too long even for that, as its SHA-256. */
function externalId(id: string): string {
  if (isAccepted(() => checkExternalId(id))) return id;
  const encoded = `base64url.${Buffer.from(id).toString('base64url')}`;
  return encoded.length <= MOST_ID ? encoded : `sha256.${createHash('sha256').update(id).digest('base64url')}`;
}

type Readers = ReturnType<typeof factorReaders>;

const factors = new WeakMap<Project, Readers>();
function readersFor(project: Project): Readers {
  const readers = factors.get(project) ?? factorReaders(project);
  factors.set(project, readers);
  return readers;
}

/** What a line has beside its contacts, and what is lost with one of each. */
const FACTORS = [
  ['recovery_codes', 'recovery codes'],
  ['passkeys', 'passkey'],
  ['social_accounts', 'social account'],
  ['wallets', 'wallet'],
] as const;

function refusedNumber(project: Project, number: string): Loss {
  const country = countryWithoutTexts(project, number);
  if (country === null) return { what: 'phone number', reason: INVALID };
  return { what: 'phone number', reason: `the project sends no text messages to ${country}`, country };
}

const ALONE = 'it was a second factor alone, and a code to it would log in here: accept sms in mfa of the project file to keep it'; // prettier-ignore
const ONLY = 'it was a second factor alone, and the user has nothing else to log in with';

/**
 * Here a code to a verified number logs in. If the project asks for a second factor and accepts such codes as one, a login that begins with
 * the number needs another proof, unless the user has none.
 */
function secondFactorPart(project: Project, line: Fields, numbers: readonly string[]): Part {
  if (numbers.length === 0) return [{}, []];
  const isAsked = isActive(project.mfa) && project.mfa.factors.some(isPhoneMethod);
  const hasProven = listOf(line['emails']).some(({ verified }) => verified === true);
  const others = ['passkeys', 'social_accounts', 'wallets'].flatMap((field) => listOf(line[field]));
  const hasOther = hasProven || others.length > 0 || Boolean(line['password']);
  if (isAsked && hasOther) return [{}, []];
  const phone_numbers = listOf(line['phone_numbers']).filter(({ phone_number }) => !numbers.includes(String(phone_number))); // prettier-ignore
  const loss: Loss = { what: 'phone number', reason: hasOther ? ALONE : ONLY };
  return [{ phone_numbers }, numbers.map(() => loss)];
}

/** The old acceptance is that of the versions in the project file. */
function termsPart({ profile }: Project, accepted_at: string | undefined): Part {
  if (accepted_at === undefined) return [{}, []];
  const terms = profile?.terms ?? [];
  if (terms.length === 0) return [{}, [{ what: 'terms', reason: 'the project file has no terms in profile' }]];
  return [
    { accepted_terms: Object.fromEntries(terms.map(({ terms_id, version }) => [terms_id, { version, accepted_at }])) },
    [],
  ];
}

/** Leaves out numbers and factors that this server does not take. */
function acceptedPart(project: Project, line: Fields): Part {
  const fields: Record<string, unknown> = {};
  const losses: Loss[] = [];
  const phones = listOf(line['phone_numbers']);
  const isTaken = ({ phone_number }: Fields): boolean => isAccepted(() => checkImportedNumber(project, String(phone_number))); // prettier-ignore
  const excluded = phones.filter((each) => !isTaken(each));
  if (excluded.length > 0) fields['phone_numbers'] = phones.filter(isTaken);
  losses.push(...excluded.map(({ phone_number }) => refusedNumber(project, String(phone_number))));
  const readers = readersFor(project);
  for (const [field, what] of FACTORS) {
    const items = listOf(line[field]);
    const flaws = items.map((item) => flawOf(readers[field], [item]));
    if (flaws.every((each) => each === null)) continue;
    fields[field] = items.filter((_, at) => flaws[at] === null);
    losses.push(...flaws.filter((each) => each !== null).map((reason) => ({ what, reason })));
  }
  return [fields, losses];
}

/** A user who has no way in without what is not accepted keeps it, so that the line is wrong and the mistake is named. */
function acceptedOrAll(project: Project, line: Fields): Part {
  const part = acceptedPart(project, line);
  return hasNoWayIn({ ...line, ...part[0] }) && !hasNoWayIn(line) ? [{}, []] : part;
}

/** False for what the user of the old system had not proven: people signed up there alone, and nobody vouches for it. */
function ownerPart(line: Fields): Part {
  const contacts = [...listOf(line['emails']), ...listOf(line['phone_numbers'])];
  if (contacts.every(({ verified }) => verified === true)) return [{}, []];
  const hasAccounts = listOf(line['social_accounts']).length + listOf(line['wallets']).length > 0;
  if (hasAccounts || contacts.some(({ verified }) => verified === true)) return [{ managed: false }, []];
  const what = listOf(line['emails']).length > 0 ? 'address' : 'phone number';
  return [{ managed: false, vouched: false }, line['locked'] === true ? [] : [{ what, reason: UNPROVEN }]];
}

/** A password that is not in the export is checked once by the old system, if the project names an address for that. */
function isCheckedThere(project: Project, { line, losses }: Pick<VendorUser, 'line' | 'losses'>): boolean {
  const isMissing = losses.some(({ what }) => what === 'password') && !line['password'];
  return isMissing && project.password_check !== null && listOf(line['emails']).length > 0;
}

/** The line of a user as this server can take it. */
export function vendorLine(
  project: Project,
  user: VendorUser,
): { readonly line: Fields; readonly losses: readonly Loss[] } {
  const id = user.line['external_id'];
  const [ordinary, secondFactors] = secondFactorPart(project, user.line, user.second_factor_numbers ?? []);
  const fields = { ...user.line, ...ordinary };
  const [accepted, lost] = acceptedOrAll(project, fields);
  const [owner, unproven] = ownerPart({ ...fields, ...accepted });
  const [terms, withoutTerms] = termsPart(project, user.terms_accepted_at);
  const line = {
    ...fields,
    ...(typeof id === 'string' ? { external_id: externalId(id) } : {}),
    ...accepted,
    ...owner,
    ...terms,
  };
  const losses = [...user.losses, ...secondFactors, ...lost, ...unproven, ...withoutTerms];
  if (!isCheckedThere(project, { line, losses })) return { line, losses };
  return {
    line: { ...line, password: { elsewhere: true } },
    losses: losses.filter(({ what }) => what !== 'password'),
  };
}
