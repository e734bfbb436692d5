import { createHash } from 'node:crypto';
import { Refusal } from '#domain/rules/refusal.ts';
import { factorReaders } from '#provider/accounts/account/import-factors.ts';
import { HashFault } from '#provider/accounts/account/import-readers.ts';
import { checkExternalId } from '#provider/accounts/users/external-ids.ts';
import { checkImportedNumber } from '#provider/accounts/users/phone-numbers.ts';
import { FieldError, type Reader } from '#provider/project/readers/readers.ts';
import type { Loss, VendorUser } from '../vendors/vendor.ts';
import { hasNoWayIn } from './import-report.ts';
import type { ActionRunner } from './operate.ts';

type Fields = Readonly<Record<string, unknown>>;
type Project = ActionRunner['project'];
/** Part of a line, and what the user loses by it. */
type Part = readonly [fields: Fields, losses: readonly Loss[]];

const UNPROVEN = 'none is proven, so without a login within 30 days the user is removed like an abandoned sign-up';
const COUNTRY = 'it is invalid, or of a country that the project does not accept';
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

/** Why this server does not take a factor, as the end of a sentence; null if it does, or if the project file is to be changed. */
function flawOf(read: Reader<unknown>, factor: unknown): string | null {
  try {
    read(factor, '');
    return null;
  } catch (error) {
    if (error instanceof HashFault) return 'its hash is of a form that is unknown here';
    if (!(error instanceof FieldError)) throw error;
    const field = error.path.split(/\W/u).at(-1) ?? '';
    return field === 'rp_id'
      ? null
      : `${field === '' ? 'it' : `its ${field}`} must be ${error.must.split(':', 1)[0] ?? ''}`;
  }
}

/** What a line has beside its contacts, and what is lost with one of each. */
const FACTORS = [
  ['recovery_codes', 'recovery codes'],
  ['passkeys', 'passkey'],
  ['social_accounts', 'social account'],
  ['wallets', 'wallet'],
] as const;

/** Leaves out numbers and factors that this server does not take. */
function acceptedPart(project: Project, line: Fields): Part {
  const fields: Record<string, unknown> = {};
  const losses: Loss[] = [];
  const phones = listOf(line['phone_numbers']);
  const accepted = phones.filter(({ phone_number }) => isAccepted(() => checkImportedNumber(project, String(phone_number)))); // prettier-ignore
  if (accepted.length < phones.length) {
    fields['phone_numbers'] = accepted;
    losses.push({ what: 'phone number', reason: COUNTRY });
  }
  const readers = readersFor(project);
  const flaw = line['totp'] === undefined ? null : flawOf(readers.totp, line['totp']);
  if (flaw !== null) {
    fields['totp'] = undefined;
    fields['recovery_codes'] = undefined;
    losses.push({ what: 'app', reason: flaw });
  }
  for (const [field, what] of FACTORS) {
    const items = listOf(Object.hasOwn(fields, field) ? [] : line[field]);
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
  const [accepted, lost] = acceptedOrAll(project, user.line);
  const [owner, unproven] = ownerPart({ ...user.line, ...accepted });
  const line = {
    ...user.line,
    ...(typeof id === 'string' ? { external_id: externalId(id) } : {}),
    ...accepted,
    ...owner,
  };
  const losses = [...user.losses, ...lost, ...unproven];
  if (!isCheckedThere(project, { line, losses })) return { line, losses };
  return {
    line: { ...line, password: { elsewhere: true } },
    losses: losses.filter(({ what }) => what !== 'password'),
  };
}
