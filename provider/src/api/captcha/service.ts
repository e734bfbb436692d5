/** A token and its sender. */
export interface CaptchaClaim {
  readonly token: string;
  /** The visitor's address, if it is a public internet address. */
  readonly address: string | null;
  readonly userAgent: string;
}

/** The service's verdict on a token. */
export interface Assessment {
  /** True for a token of this site key that has not expired and was not assessed before. */
  readonly isValid: boolean;
  /** The host on which the captcha was solved. */
  readonly hostname: string;
  /** The action for which the page requested the token; null for services whose tokens have none. */
  readonly action: string | null;
  /** From 0 (a program) to 1 (a person); null for services without scores. */
  readonly score: number | null;
}

export const INVALID: Assessment = { isValid: false, hostname: '', action: null, score: null };

/**
 * A captcha service.
 *
 * - `assess` sends a token to the service, which accepts each token once;
 * - it rejects with a SetupError if the service does not accept this server's key, and with another error if the service does not answer. A
 *   visitor's input must never cause either, because one visitor could then lock out all others.
 */
export interface CaptchaService {
  assess(claim: CaptchaClaim): Promise<Assessment>;
}

/** The operator must change the settings; the message names them. */
export class SetupError extends Error {}

/** The longest time that a login waits for the service. */
export const TIMEOUT_MS = 4_000;
