import type { PasswordStrengthPort } from '../../application/ports/index.ts';

/** zxcvbn's estimate. Its core is loaded by the first call; the dictionaries are the server's. */
export class Zxcvbn implements PasswordStrengthPort {
  async estimate(password: string, hints: readonly string[]): Promise<number | null> {
    try {
      const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
      return new ZxcvbnFactory().check(password.slice(0, 100), [...hints]).score;
    } catch {
      return null;
    }
  }
}
