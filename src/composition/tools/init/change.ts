/** What `init` plans for one file. */
export interface Change {
  /** In the app. */
  readonly path: string;
  /** Such as `the client`. */
  readonly purpose: string;
  /** The text of the file; null if there is none. */
  readonly before: string | null;
  readonly after: string;
  /** The lines that are added to an existing file. Absent if the whole file is replaced. */
  readonly added?: readonly string[];
}
