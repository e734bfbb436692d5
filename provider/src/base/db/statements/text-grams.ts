import { sql, type RawBuilder, type SqlBool } from 'kysely';

const LENGTH = 3;
const MOST_WORDS = 8;

/** The full name of a user, as its index has it. */
export const NAME_TEXT = sql`coalesce(users.name->>'first_name', '') || ' ' || coalesce(users.name->>'middle_name', '') || ' ' || coalesce(users.name->>'last_name', '')`;

/**
 * A condition that every text with `part` in it meets, and few others do, for the index on `text_grams` of the text. Null for a part
 * without a word of three characters, which no index finds.
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
 * Whether a text contains another one, whatever the case of their letters. `folded` knows all letters in every locale; the database
 * estimates by `ilike`, for which it has statistics, how many rows there will be.
 */
export const contains = (text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${text} ilike ${containing(part)} or folded(${text}) like folded(${containing(part)}))`;

/** A pattern for `like` that finds the text anywhere. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
