/**
 * Messages for the host's developer. They never contain a secret: no token, code, password or verifier.
 *
 * - neither method throws.
 */
export interface LogPort {
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}
