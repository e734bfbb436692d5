// oxlint-disable-next-line no-restricted-imports -- a type, which leaves no trace in the build
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { codeLoad } from '#domain/code-loads.ts';
import type { PasswordStrengthPort } from '#application/ports/index.ts';
import { later, type Later } from '#domain/later.ts';

/** The maximum length that is rated, because the time grows faster than the length. */
const JUDGED_LENGTH = 100;

/**
 * The estimate of zxcvbn. The first call loads its core and the most common passwords. The server uses the complete
 * dictionaries, so its score is never above this one.
 */
export class Zxcvbn implements PasswordStrengthPort {
  private readonly judge: Later<ZxcvbnFactory>;

  /** @param make creates the estimate, at the first call */
  constructor(make = makeJudge) {
    this.judge = later(make);
  }

  async estimate(password: string, hints: readonly string[]): Promise<number | null> {
    try {
      const judge = await this.judge.load();
      return judge.check(password.slice(0, JUDGED_LENGTH), [...hints]).score;
    } catch {
      return null;
    }
  }
}

/** Loads the core and the passwords. Rejects if a part does not load. */
export async function makeJudge(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { COMMON_PASSWORDS }] = await Promise.all([
    // oxlint-disable-next-line no-restricted-imports -- loaded with import(), when a field needs it
    codeLoad(import('@zxcvbn-ts/core')),
    codeLoad(import('./common-passwords.ts')),
  ]);
  return new Factory({ dictionary: { common: [...COMMON_PASSWORDS] } });
}
