/**
 * The name of a cookie that scripts can read, next to the session's HttpOnly cookies. It only shows that there is a session, so that
 * a page sends no request for the session of a visitor without one, and where the server keeps its cookies.
 */
export function hintName(tokenName: string): string {
  return `${tokenName}_hint`;
}

/** The hint of earlier releases, which names no project. */
export const PLAIN_HINT = '1';

/**
 * True unless it is the hint of another project: all projects have the same names of cookies, unless they are configured.
 *
 * @param hint as it is in the cookie, or decoded
 */
export const isHintFor = (publicToken: string, hint: string): boolean =>
  hint === PLAIN_HINT || [publicToken, encodeURIComponent(publicToken)].includes(hint.split(':')[0] ?? '');
