import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { asciiDomain } from '#domain/contacts/international-domain.ts';
import { emailKey, emailKeys } from '#server-rules/accounts.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { containing, contains, mayContain, NAME_TEXT } from '#provider/base/db/statements/text-grams.ts';
import { selectUsers, wholeFrom } from '#provider/accounts/users/read-user.ts';

/** The place in a list after which the next page begins. */
const PLACE = /^(\d{1,15})\.([\w.-]{1,128})$/u;

export interface UserPage {
  readonly text?: string | undefined;
  readonly locked?: boolean;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A user, with the details that only operators see. */
export function personFrom(row: Parameters<typeof wholeFrom>[0]) {
  const { locked_at, managed, vouched, arrival, came_in } = row;
  return { ...wholeFrom(row), locked_at, managed, vouched, arrival, came_in };
}

/**
 * Users in the form of a list, oldest first. With a text: the user with exactly this address, number or id; if there is none, users with
 * the text in an address, number or name.
 */
export async function listUsers(db: Db, { text, locked = false, after, limit }: UserPage) {
  let query = selectUsers(db)
    .orderBy('users.created_at')
    .orderBy('users.user_id')
    .limit(limit + 1);
  if (locked) query = query.where('locked_at', 'is not', null);
  if (text !== undefined && text !== '') query = query.where(await meeting(db, text));
  if (after !== undefined) {
    const [, at, id] = PLACE.exec(after) ?? [];
    if (at === undefined || id === undefined) throw new Refusal('bad_request', 'after must be the cursor of a page.');
    query = query.where(sql<boolean>`(users.created_at, users.user_id) > (${new Date(Number(at))}, ${id})`);
  }
  const rows = await query.execute();
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    users: page.map(personFrom),
    next: last === undefined ? null : `${last.created_at.getTime()}.${last.user_id}`,
  };
}

/** If a search finds more users than this, the list reads them one by one until its page is full, because nearly every user matches. */
const MOST_IDS = 1_000;

/** The condition on `users` of a search. */
async function meeting(db: Db, text: string): Promise<RawBuilder<SqlBool>> {
  const exact = await idsOf(db, exactly(text), MOST_IDS);
  const ids = exact.length > 0 ? exact : await idsOf(db, partly(text), MOST_IDS + 1);
  return ids !== null && ids.length <= MOST_IDS ? sql`users.user_id = any(${ids}::text[])` : walked(text);
}

type Ids = RawBuilder<{ readonly user_id: string }>;

async function idsOf(db: Db, selected: Ids, most: number): Promise<readonly string[]>;
async function idsOf(db: Db, selected: Ids | null, most: number): Promise<readonly string[] | null>;
async function idsOf(db: Db, selected: Ids | null, most: number): Promise<readonly string[] | null> {
  if (selected === null) return null;
  const { rows } = await sql<{
    user_id: string;
  }>`select distinct user_id from (${selected} limit ${most}) as found`.execute(db);
  return rows.map(({ user_id }) => user_id);
}

const exactly = (text: string): Ids =>
  sql`select user_id from users where user_id = ${text} or external_id = ${text}
    union all select user_id from emails where email_key = any(${emailKeys(text)}::text[])
    union all select user_id from phone_numbers where phone_number = ${text}`;

/** The users with the text in an address, a number or a name, found by indexes; null if the text is too short for these. */
function partly(text: string): Ids | null {
  const { emails, numbers, names } = conditionsFor(text);
  const address = sql`email || ' ' || email_key`;
  const [inAddress, inDomain] = [mayContain(address, text), mayContain(address, domainFormOf(text))];
  const [inNumber, inName] = [mayContain(sql`phone_number`, text), mayContain(NAME_TEXT, text)];
  if (inAddress === null || inDomain === null || inNumber === null || inName === null) return null;
  return sql`select user_id from emails where (${inAddress} or ${inDomain}) and ${emails}
    union all select user_id from phone_numbers where ${inNumber} and ${numbers}
    union all select user_id from users where name <> '{}' and ${inName} and ${names}`;
}

/** The same as a condition that is checked for each user. Without `limit`, PostgreSQL would first read each table completely. */
function walked(text: string): RawBuilder<SqlBool> {
  const { emails, numbers, names } = conditionsFor(text);
  return sql`(coalesce((select true from emails where emails.user_id = users.user_id and ${emails} limit 1), false)
    or coalesce((select true from phone_numbers where phone_numbers.user_id = users.user_id and ${numbers} limit 1), false)
    or ${names})`;
}

/** Addresses are found in the form that people see, `münchen`, and in the stored form of the network, `xn--mnchen-3ya`. */
const domainFormOf = (text: string): string => asciiDomain(text) ?? emailKey(text);

function conditionsFor(text: string) {
  const part = containing(emailKey(text));
  return {
    emails: sql`(email_key like ${part} or email_key like ${containing(domainFormOf(text))} or ${contains(sql`email`, emailKey(text))})`,
    numbers: sql`phone_number like ${part}`,
    names: contains(sql`concat_ws(' ', users.name->>'first_name', users.name->>'last_name')`, emailKey(text)),
  };
}
