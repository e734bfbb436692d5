/**
 * The name of a cookie that scripts can read, next to the session's HttpOnly cookies. It shows that there is a session, so that a page
 * sends no session request for visitors without one. It also shows where the server keeps its cookies.
 */
export function hintName(tokenName: string): string {
  return `${tokenName}_hint`;
}

/** The hint of earlier releases, which names no project. */
export const PLAIN_HINT = '1';

/**
 * True unless it is the hint of another project: all projects use the same cookie names by default.
 *
 * @param hint as it is in the cookie, or decoded
 */
export const isHintFor = (publicToken: string, hint: string): boolean =>
  hint === PLAIN_HINT || [publicToken, encodeURIComponent(publicToken)].includes(hint.split(':')[0] ?? '');
