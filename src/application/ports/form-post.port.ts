/**
 * Leaves the page by a form instead of an address: what it carries stands in no history, `Referer` or access log.
 *
 * - `submit` posts the fields in a form that is gone from the document afterwards;
 * - a `RangeError` is thrown for an address that is neither https nor http on loopback, or names a user.
 */
export interface FormPostPort {
  submit(url: string, fields: Readonly<Record<string, string>>): void;
}
