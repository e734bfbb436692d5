import type { BrowserPort } from '../ports/index.ts';
import type { WireClient } from './wire-client.ts';

/**
 * The variant of a call that leaves the page: posts the fields in a hidden form to a path of the server (specification,
 * section 7). Fields that are undefined are left out.
 */
export function submitForm(
  { origin }: Pick<WireClient, 'origin'>,
  browser: BrowserPort,
  path: string,
  fields: Readonly<Record<string, string | undefined>>,
): void {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  browser.submitForm(`${origin}${path}`, Object.fromEntries(given));
}
