import { SDKUsageError } from '../../domain/errors.ts';

/** Throws one SDKUsageError with all mistakes of a call, a line for each. Returns without any. */
export function refuseMistakes(method: string, mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new SDKUsageError(method, mistakes.join('\n'));
}
