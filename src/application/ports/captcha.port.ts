/**
 * A token that shows a server that a person, and no program, is here.
 *
 * - `token` answers a fresh token for a login each time, and loads what it needs on the first call;
 * - a service that cannot be loaded, or gives nothing within 5 s, answers null and does not throw;
 * - what failed to load is tried anew by the next call.
 */
export interface CaptchaPort {
  token(siteKey: string): Promise<string | null>;
}
