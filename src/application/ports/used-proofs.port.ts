/**
 * Remembers the proofs that an app's server has accepted (RFC 9449, section 11.1). Processes that serve the same pages share one.
 *
 * - `add` resolves with true for an unknown id, and remembers it until the given time;
 * - of several simultaneous calls with one id, one resolves with true;
 * - it resolves with false for a remembered id;
 * - it rejects if this cannot be decided; the request is then answered with status 503.
 */
export interface UsedProofsPort {
  /**
   * @param id 43 characters of base64url
   * @param until in milliseconds since 1970, six minutes ahead
   */
  add(id: string, until: number): boolean | Promise<boolean>;
}
