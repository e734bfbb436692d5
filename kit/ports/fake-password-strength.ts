import type { PasswordStrengthPort } from '#application/ports/index.ts';

/** Scores 2 points for every six different characters, up to 4; 0 for a hint; null if `knows` is false. */
export class FakePasswordStrength implements PasswordStrengthPort {
  knows = true;

  async estimate(password: string, hints: readonly string[]): Promise<number | null> {
    if (!this.knows) return null;
    if (hints.includes(password)) return 0;
    return Math.min(4, Math.floor(new Set(password).size / 6) * 2);
  }
}
