/**
 * Remembers the proofs that an app's server has accepted (RFC 9449, section 11.1). Processes that serve the same pages share one.
 *
 * - `add` resolves with true for an id that it does not know, and remembers it until the given time;
 * - of several calls at once with one id, one resolves with true;
 * - it resolves with false for an id that is remembered;
 * - it rejects if it cannot tell; the request is then answered with status 503.
 */
export interface UsedProofsPort {
  /**
   * @param id 43 characters of base64url
   * @param until in milliseconds since 1970, six minutes ahead
   */
  add(id: string, until: number): boolean | Promise<boolean>;
}
