import { createHash } from 'node:crypto';
import { checkEmail } from '#server-rules/accounts.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { checkExternalId } from '#provider/accounts/users/external-ids.ts';
import { checkImportedNumber } from '#provider/accounts/users/phone-numbers.ts';
import type { Loss, VendorUser } from '../vendors/vendor.ts';
import { hasNoWayIn } from './import-report.ts';
import type { ActionRunner } from './operate.ts';

type Fields = Readonly<Record<string, unknown>>;
type Project = ActionRunner['project'];
/** Part of a line, and what the user loses by it. */
type Part = readonly [fields: Fields, losses: readonly Loss[]];

const NO_WAY_IN = 'the export has no address, number, passkey, social account or wallet of the user';
const UNPROVEN = 'none is proven, so without a login within 30 days the user is removed like an abandoned sign-up';
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

/** Leaves out an address or number that this server does not accept, if the user has another one. */
function contactsPart(project: Project, line: Fields): Part {
  const [emails, phones] = [listOf(line['emails']), listOf(line['phone_numbers'])];
  const emailsHere = emails.filter(({ email }) => isAccepted(() => checkEmail(String(email))));
  const phonesHere = phones.filter(({ phone_number }) => isAccepted(() => checkImportedNumber(project, String(phone_number)))); // prettier-ignore
  // A user without any is a wrong line, which names the mistake.
  if (emailsHere.length + phonesHere.length === 0) return [{}, []];
  const losses: Loss[] = [];
  if (emailsHere.length < emails.length) losses.push({ what: 'address', reason: 'it has not the form of one' });
  if (phonesHere.length < phones.length) {
    losses.push({ what: 'phone number', reason: 'it is invalid, or of a country that the project does not accept' });
  }
  return losses.length === 0 ? [{}, []] : [{ emails: emailsHere, phone_numbers: phonesHere }, losses];
}

/** False for what the user of the old system had not proven: people signed up there alone, and nobody vouches for it. */
function ownerPart(line: Fields): Part {
  const contacts = [...listOf(line['emails']), ...listOf(line['phone_numbers'])];
  if (line['managed'] !== undefined || contacts.every(({ verified }) => verified === true)) return [{}, []];
  const hasAccounts = listOf(line['social_accounts']).length + listOf(line['wallets']).length > 0;
  if (hasAccounts || contacts.some(({ verified }) => verified === true)) return [{ managed: false }, []];
  const what = listOf(line['emails']).length > 0 ? 'address' : 'phone number';
  return [{ managed: false, vouched: false }, line['locked'] === true ? [] : [{ what, reason: UNPROVEN }]];
}

function passwordPart(line: Fields): Part {
  const isStranded = line['password'] !== undefined && line['password'] !== null && listOf(line['emails']).length === 0;
  if (!isStranded) return [{}, []];
  return [{ password: undefined }, [{ what: 'password', reason: 'a password needs an address here' }]];
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
  let line = user.line;
  const id = line['external_id'];
  if (typeof id === 'string') line = { ...line, external_id: externalId(id) };
  const losses: Loss[] = [...user.losses];
  for (const part of [(fields: Fields) => contactsPart(project, fields), passwordPart, ownerPart]) {
    const [fields, lost] = part(line);
    line = { ...line, ...fields };
    losses.push(...lost);
  }
  if (hasNoWayIn(line) && !losses.some(({ what }) => what === 'way in')) losses.push({ what: 'way in', reason: NO_WAY_IN }); // prettier-ignore
  if (!isCheckedThere(project, { line, losses })) return { line, losses };
  return {
    line: { ...line, password: { elsewhere: true } },
    losses: losses.filter(({ what }) => what !== 'password'),
  };
}
