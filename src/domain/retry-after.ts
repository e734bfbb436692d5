/**
 * `Retry-After` in milliseconds (RFC 9110, section 10.2.3): seconds, or a date that is compared with the response's `Date`. Null
 * when there is none.
 *
 * @param headers their names in lower case
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  if (/^\d+$/u.test(value)) return Number(value) * 1000;
  const wait = Date.parse(value) - Date.parse(headers['date'] ?? '');
  return wait > 0 ? wait : null;
}
