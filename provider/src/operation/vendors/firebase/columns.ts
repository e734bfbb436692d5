/** The providers that the CSV has columns for: the first four since its first version, before the claims. */
const FIRST = ['google.com', 'facebook.com', 'twitter.com', 'github.com'] as const;
const LATER = ['apple.com', 'microsoft.com', 'gc.apple.com', 'playgames.google.com', 'linkedin.com', 'yahoo.com'] as const; // prettier-ignore

export const PROVIDER_COLUMNS: readonly string[] = [...FIRST, ...LATER];

const columnsOf = (provider: string): readonly string[] =>
  ['rawId', 'email', 'displayName', 'photoUrl'].map((name) => `${provider}.${name}`);

const CLAIMS = 'customAttributes';
const FIRST_COLUMNS: readonly string[] = [
  'localId',
  'email',
  'emailVerified',
  'passwordHash',
  'salt',
  'displayName',
  'photoUrl',
  ...FIRST.flatMap(columnsOf),
  'createdAt',
  'lastSignedInAt',
  'phoneNumber',
  'disabled',
  CLAIMS,
];

/** The columns of the CSV, which has no header, by version. */
export const COLUMNS: readonly (readonly string[])[] = [[...FIRST_COLUMNS, ...LATER.flatMap(columnsOf)], FIRST_COLUMNS];

const CLAIMS_AT = FIRST_COLUMNS.indexOf(CLAIMS);

/** Follows the cells of a CSV, and doubles the quotation marks of claims that their exporter leaves single. */
class ClaimsQuotes {
  private column = 0;
  private isQuoted = false;
  private before = '';

  rewrite(text: string): string {
    let result = '';
    for (const character of text) {
      result += this.next(character);
      this.before = character;
    }
    return result;
  }

  private next(character: string): string {
    if (character === '"') return this.quote();
    if (!this.isQuoted && character === ',') this.column += 1;
    else if (!this.isQuoted && character === '\n') this.column = 0;
    return character;
  }

  private quote(): string {
    // The exporter of Firebase doubles the marks of the claims, except those after a backslash.
    if (this.isQuoted && this.column === CLAIMS_AT && this.before === '\\') return '""';
    const isStart = this.before === '' || this.before === ',' || this.before === '\n';
    if (this.isQuoted || isStart || this.before === '"') this.isQuoted = !this.isQuoted;
    return '"';
  }
}

/** The text of Firebase's CSV with the quotation marks of RFC 4180. */
export async function* claimsWithPlainQuotes(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  const quotes = new ClaimsQuotes();
  for await (const chunk of chunks) yield quotes.rewrite(chunk);
}
