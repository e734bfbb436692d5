/**
 * Leaves the page by a form, so that its fields appear in no URL.
 *
 * - `submit` posts the fields in a form and removes the form from the document;
 * - a `RangeError` is thrown for an address that is neither https nor http on loopback, or contains user information.
 */
export interface FormPostPort {
  submit(url: string, fields: Readonly<Record<string, string>>): void;
}
