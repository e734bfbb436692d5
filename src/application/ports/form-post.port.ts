/**
 * Leaves the page by a form, whose fields stand in no address.
 *
 * - `submit` posts the fields in a form that is gone from the document afterwards;
 * - a `RangeError` is thrown for an address that is neither https nor http on loopback, or names a user.
 */
export interface FormPostPort {
  submit(url: string, fields: Readonly<Record<string, string>>): void;
}
