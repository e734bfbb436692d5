/**
 * The name of a cookie that scripts can read, next to the session's HttpOnly cookies. It only shows that there is a session, so that
 * a page sends no request for the session of a visitor without one.
 */
export function hintName(tokenName: string): string {
  return `${tokenName}_hint`;
}
