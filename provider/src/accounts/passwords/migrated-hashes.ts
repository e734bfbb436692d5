import { refusalOf } from './exported/checks.ts';
import { FORMS, refuseLost } from './exported/forms.ts';
import type { DescribedHash, MigratedHash } from './exported/migrated-hash.ts';

/** Those that the text shows alone. */
function formsOf(description: DescribedHash) {
  return FORMS.filter((form) => form.needsType !== true && form.fits(description));
}

/** Whether the hash needs no `hash_type`. */
export function namesItsType(description: DescribedHash): boolean {
  return formsOf(description).length === 1;
}

/**
 * The hash of a request in its checked form. Refuses a malformed or too costly one, naming the field. The text shows the type, except
 * where several fit.
 */
export function migratedHash(description: DescribedHash): MigratedHash {
  refuseLost(description);
  return description.hash_type === undefined ? byText(description) : byType(description, description.hash_type);
}

function byText(description: DescribedHash): MigratedHash {
  const [form, another] = formsOf(description);
  if (form !== undefined && another === undefined) return form.read(description);
  const fitting = FORMS.filter((each) => each.fits(description)).map(({ name }) => name);
  if (fitting.length > 0) throw refusalOf('hash_type', `is missing: by its text the hash may be ${listed(fitting)}`);
  throw refusalOf('hash_type', `is missing, and the text of the hash names no algorithm: give one of ${listed(NAMES)}`);
}

/** The name of a type of the wire selects that type, or the one of its other forms that the text has. */
function byType(description: DescribedHash, type: string): MigratedHash {
  const candidates = FORMS.filter(({ name, aliases }) => name === type || aliases?.includes(type) === true);
  const form = candidates.find((each) => each.fits(description)) ?? candidates[0];
  if (form !== undefined) return form.read(description);
  throw refusalOf('hash_type', `must be ${listed(NAMES)}`);
}

const NAMES = FORMS.map(({ name }) => name);

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
}
