/**
 * What the host's developer should know. Never a secret: no token, code, password or verifier.
 *
 * - neither method throws.
 */
export interface LogPort {
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}
