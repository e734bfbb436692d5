/**
 * A captcha service. Its tokens are evidence for the server that a human uses the page.
 *
 * - `token` resolves with a new token for every login; the first call loads the service;
 * - it resolves with null, and does not reject, when the service cannot be loaded or does not answer within 5 s;
 * - after a failed load, the next call tries again.
 */
export interface CaptchaPort {
  token(siteKey: string): Promise<string | null>;
}
