type Fields = Readonly<Record<string, unknown>>;

/** A row of a table or an item of a list, as an export has it. All values of a CSV are texts. */
export interface VendorRecord {
  /** Its place in its file, from 1: the line of NDJSON, the row of a CSV without its header, or the item of an array. */
  readonly number: number;
  readonly values: Fields;
}

/** One file of an export. It can be read more than once. */
export interface VendorFile {
  readonly path: string;
  readonly records: () => AsyncIterable<VendorRecord>;
}

/** What an operator adds on the command line, because an export lacks it. */
export interface VendorOptions {
  /** The relying party of all passkeys of the export; null if none was named. */
  readonly rp_id: string | null;
  /** The secret with which the old system encrypted values; null if none was named. */
  readonly secret: string | null;
}

/** What a person had and does not keep. The report of `--dry-run` counts the users of each. */
export interface Loss {
  readonly what:
    | 'password'
    | 'app'
    | 'recovery codes'
    | 'passkey'
    | 'social account'
    | 'wallet'
    | 'address'
    | 'phone number'
    | 'username'
    | 'metadata'
    | 'terms'
    | 'way in';
  /** Why, as the end of a sentence: "the export has no hash of it". */
  readonly reason: string;
  /** True if the export has it and it cannot be read. The report names each person with such a loss. */
  readonly isDamaged?: true;
  /** The country of a number (ISO 3166, or its calling code) to which the project sends no text messages. */
  readonly country?: string;
}

/** One user of an export. */
export interface VendorUser {
  /** The place of the user's record in the main file. */
  readonly number: number;
  /** The line that `users import` reads (docs/people.md). The import checks it. */
  readonly line: Fields;
  readonly losses: readonly Loss[];
  /** The numbers of the line that were second factors alone: the old system accepted no login with their codes. */
  readonly second_factor_numbers?: readonly string[];
  /** When the user accepted the terms of the old system, in the format of RFC 3339. */
  readonly terms_accepted_at?: string;
  /** The file of the record, where several files have users. */
  readonly path?: string;
  /** What the export has of the user, where a record of a file has many users. */
  readonly record?: Fields;
}

/** A record that is no user, or cannot be read. */
export interface WrongRecord {
  readonly number: number;
  /** Names the field and the remedy, never a value. */
  readonly wrong: string;
  readonly path?: string;
  readonly record?: Fields;
}

type Row = readonly string[];

/** The form of a vendor's CSV files. Without it, the first row of a file has the names of its columns. */
export interface CsvForm {
  /** True for a row of names, wherever it stands. Rows before it are records of one value, by the name in their first cell. */
  readonly isHeader?: (row: Row) => boolean;
  /** The names of the columns of a file without a header, by its first row; null if these are no columns. */
  readonly columnsOf?: (row: Row) => Row | null;
  /** Turns the vendor's own quotation marks into those of RFC 4180. */
  readonly rewrite?: (chunks: AsyncIterable<string>) => AsyncIterable<string>;
}

/** How the files of a vendor are read. */
export interface FileForm {
  readonly csv?: CsvForm;
  /** True if a JSON document is one record with all of its fields, and not a reply around a list of users. */
  readonly hasWholeDocuments?: boolean;
}

/** A product whose exports can be imported. */
export interface Vendor extends FileForm {
  /** Yields every user of an export. The files come in any order; their fields say which table each holds. */
  users(files: readonly VendorFile[], options: VendorOptions): AsyncIterable<VendorUser | WrongRecord>;
}
