/**
 * The name of a cookie beside the session's HttpOnly cookies that scripts can read. It says that there is a session and nothing
 * else, so that a page does not ask the server for the session of a visitor who has none.
 */
export function hintName(tokenName: string): string {
  return `${tokenName}_hint`;
}
