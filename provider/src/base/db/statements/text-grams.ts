import { sql, type RawBuilder, type SqlBool } from 'kysely';

const LENGTH = 3;
const MOST_WORDS = 8;

/** A user's full name, as in its index. */
export const NAME_TEXT = sql`coalesce(users.name->>'first_name', '') || ' ' || coalesce(users.name->>'middle_name', '') || ' ' || coalesce(users.name->>'last_name', '')`;

/**
 * A condition for the index on `text_grams` of the text. It is true for every text that contains `part`, and for few others. Null if `part`
 * has no word of three characters, because the index cannot find it.
 */
export function mayContain(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool> | null {
  const words = part
    .split(/\s+/u)
    .filter((word) => Array.from(word).length >= LENGTH)
    .slice(0, MOST_WORDS);
  if (words.length === 0) return null;
  const grams = sql.join(
    words.map((word) => sql`text_grams(${word})`),
    sql` || `,
  );
  return sql<SqlBool>`text_grams(${text}) @> (${grams})`;
}

/**
 * Whether a text contains another one, ignoring case. `folded` handles all letters in every locale. `ilike` is there because the database
 * has statistics for it, with which it estimates the number of rows.
 */
export const contains = (text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${text} ilike ${containing(part)} or folded(${text}) like folded(${containing(part)}))`;

/** A pattern for `like` that finds the text anywhere. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
