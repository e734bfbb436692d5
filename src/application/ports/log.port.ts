/**
 * Messages for the host's developer. They never contain tokens, codes, passwords or verifiers.
 *
 * - neither method throws.
 */
export interface LogPort {
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}
