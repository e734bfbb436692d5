import type { PasswordStrengthPort } from '#application/ports/index.ts';
import { suite, type Disposable, type TestRunner } from './runner.ts';

export interface PasswordStrengthHarness extends Disposable {
  readonly passwordStrength: PasswordStrengthPort;
  /** Takes away what the estimate stands on, such as the code that is to be loaded. */
  readonly breakDown: () => void;
}

const ODD = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '🐎'.repeat(60),
  'a'.repeat(10_000),
  '(?:(a+)+)$',
  '{"__proto__":1}',
  '٠١٢٣٤٥',
];
const GOOD = 'quiver-Ozone 41 lamp/brine';

/** The contract of PasswordStrengthPort. */
export function passwordStrengthContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => PasswordStrengthHarness | Promise<PasswordStrengthHarness>,
): void {
  const { expect } = runner;
  suite(runner, `PasswordStrengthPort: ${name}`, makeHarness, (test) => {
    test('answers a whole score from 0 to 4 for anything that can be typed', async ({ passwordStrength }) => {
      for (const password of ODD) {
        const score = await passwordStrength.estimate(password, []);
        expect([0, 1, 2, 3, 4].some((known) => known === score)).toBe(true);
      }
    });

    test('answers at most 1 for one character over and over, at least 3 for many of many kinds', async (harness) => {
      const { passwordStrength } = harness;
      expect(Number(await passwordStrength.estimate('aaaaaaaa', [])) <= 1).toBe(true);
      expect(Number(await passwordStrength.estimate(GOOD, [])) >= 3).toBe(true);
    });

    test('gives nothing for a hint, whatever the hint is', async ({ passwordStrength }) => {
      expect(Number(await passwordStrength.estimate(GOOD, ['else', GOOD])) <= 1).toBe(true);
      for (const hint of ODD) {
        const score = await passwordStrength.estimate(hint, [hint, hint]);
        expect(Number(score) <= 1).toBe(true);
      }
    });

    test('remembers no hint for the next password', async ({ passwordStrength }) => {
      await passwordStrength.estimate(GOOD, [GOOD]);
      expect(Number(await passwordStrength.estimate(GOOD, [])) >= 3).toBe(true);
    });

    test('answers each of many questions asked at once', async ({ passwordStrength }) => {
      const asked = ['aaaaaaaa', GOOD, 'aaaaaaaa', GOOD];
      const scores = await Promise.all(asked.map((password) => passwordStrength.estimate(password, [])));
      expect(scores.map((score) => Number(score) >= 3)).toEqual([false, true, false, true]);
    });

    test('answers null when it cannot tell, and does not reject', async ({ passwordStrength, breakDown }) => {
      breakDown();
      expect(await passwordStrength.estimate(GOOD, [])).toBe(null);
    });
  });
}
