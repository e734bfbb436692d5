import { isRecord } from '#domain/shape.ts';
import { Row, type Values } from '../rows/row.ts';

export interface Contact {
  readonly value: string;
  readonly verified: boolean;
  readonly isSecondFactor?: true;
}

const isVerified = (row: Row): boolean => row.within('verification').text('status') === 'verified';

/** Objects of the API; the texts of a file that Clerk's support made, or of its migration tool, which do not say what is verified. */
function listedIn(row: Row, name: string): readonly (Row | string)[] {
  const value = row.value(name);
  const isOfTexts = Array.isArray(value) ? value.some((item) => typeof item === 'string') : typeof value === 'string' && !value.startsWith('['); // prettier-ignore
  return isOfTexts ? row.texts(name) : row.rows(name);
}

function contactOf(row: Row, kind: string): Contact {
  const contact = { value: row.text(kind) ?? '', verified: isVerified(row) };
  return row.flag('reserved_for_second_factor') === true ? { ...contact, isSecondFactor: true } : contact;
}

/** Those of the cells and of the lists of the API, the primary one first. Older command line tools wrote an unverified one as primary. */
export function contactsOf(row: Row, kind: 'email_address' | 'phone_number', plural: string): readonly Contact[] {
  const primary = row.value(`primary_${kind}_id`);
  const listed = listedIn(row, plural);
  const cells = (name: string, verified: boolean) => row.texts(name).map((value) => ({ value, verified }));
  const rows = listed.filter((each): each is Row => typeof each !== 'string');
  const texts = listed.filter((each) => typeof each === 'string');
  return [
    ...cells(`primary_${kind}`, false),
    ...rows.filter((each) => each.value('id') === primary).map((each) => contactOf(each, kind)),
    ...cells(`verified_${plural}`, true),
    ...rows.map((each) => contactOf(each, kind)),
    ...texts.map((value) => ({ value, verified: false })),
    ...cells(`unverified_${plural}`, false),
  ];
}

const LISTS = ['verified_email_addresses', 'unverified_email_addresses', 'verified_phone_numbers', 'unverified_phone_numbers']; // prettier-ignore

/** One record of those that several files have of a user. The later ones win, but for the lists of cells, which are joined. */
export function mergedCells(records: readonly (Values | undefined)[]): Values {
  const all = records.filter(isRecord);
  if (all.length < 2) return all[0] ?? {};
  const rows = all.map((values) => new Row(values));
  const lists = LISTS.map((name) => [name, rows.flatMap((row) => row.texts(name))] as const);
  return Object.assign({}, ...all, Object.fromEntries(lists.filter(([, list]) => list.length > 0))) as Values;
}
