import type { PasswordStrengthPort } from '../../application/ports/index.ts';

/** Two points for every full six different characters, four at most; none for a hint, and null once told to know nothing. */
export class FakePasswordStrength implements PasswordStrengthPort {
  knows = true;

  async estimate(password: string, hints: readonly string[]): Promise<number | null> {
    if (!this.knows) return null;
    if (hints.includes(password)) return 0;
    return Math.min(4, Math.floor(new Set(password).size / 6) * 2);
  }
}
