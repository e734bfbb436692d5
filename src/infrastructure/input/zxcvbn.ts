import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { PasswordStrengthPort } from '../../application/ports/index.ts';

/** What is judged of a password: the time that a judgement takes grows faster than the text. */
const JUDGED_LENGTH = 100;

/** zxcvbn's estimate. Its core is loaded by the first call; the dictionaries are the server's. */
export class Zxcvbn implements PasswordStrengthPort {
  private judge: ZxcvbnFactory | null = null;

  async estimate(password: string, hints: readonly string[]): Promise<number | null> {
    try {
      this.judge ??= new (await import('@zxcvbn-ts/core')).ZxcvbnFactory();
      return this.judge.check(password.slice(0, JUDGED_LENGTH), [...hints]).score;
    } catch {
      return null;
    }
  }
}
