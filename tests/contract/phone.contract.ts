import type { PhonePort } from '#application/ports/index.ts';
import { rejectionOf, suite, type Disposable, type TestRunner } from './runner.ts';

export interface PhoneHarness extends Disposable {
  readonly phone: PhonePort;
  /** Keeps what the adapter needs from loading, or lets it load again. */
  readonly block: (blocked: boolean) => void | Promise<void>;
}

/** What was typed, for which country, and what comes of it. */
const NUMBERS = [
  ['4155552671', 'US', '+14155552671', '+1 415 555 2671'],
  ['(415) 555-2671', 'US', '+14155552671', '+1 415 555 2671'],
  ['+1 415.555.2671', 'US', '+14155552671', '+1 415 555 2671'],
  ['+14155552671', 'DE', '+14155552671', '+1 415 555 2671'],
  ['01512 3456789', 'DE', '+4915123456789', '+49 1512 3456789'],
  ['015123456789', 'DE', '+4915123456789', '+49 1512 3456789'],
  ['+49 1512 3456789', 'US', '+4915123456789', '+49 1512 3456789'],
] as const;

const NO_NUMBERS = [
  ['', 'US'],
  ['+', 'US'],
  ['415555', 'US'],
  ['41555526711', 'US'],
  ['call me', 'US'],
  ['+1 415', 'US'],
  ['+999 123 456 789', 'US'],
  ['0151', 'DE'],
  ['x'.repeat(5_000), 'US'],
  ['1'.repeat(5_000), 'US'],
] as const;

const FORMATS = [
  ['', 'US', '', null],
  ['41', 'US', '41', null],
  ['4155552', 'US', '(415) 555-2', null],
  ['4155552671', 'US', '(415) 555-2671', null],
  ['(415) 555-2671', 'US', '(415) 555-2671', null],
  ['015123456789', 'DE', '01512 3456789', null],
  ['+', 'US', '+', null],
  ['+1', 'US', '+1', 'US'],
  ['+49', 'US', '+49', 'DE'],
  ['+49 1512', 'US', '+49 1512', 'DE'],
  ['+4915123456789', 'US', '01512 3456789', 'DE'],
  ['+14155552671', 'DE', '(415) 555-2671', 'US'],
  ['call me', 'US', 'call me', null],
  ['415-CALL', 'US', '415-CALL', null],
] as const;

/** The contract of PhonePort, in numbers of the United States and of Germany. */
export function phoneContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => PhoneHarness | Promise<PhoneHarness>,
): void {
  const { expect } = runner;
  suite(runner, `PhonePort: ${name}`, makeHarness, (test) => {
    for (const [typed, country, number, international] of NUMBERS) {
      test(`takes ${typed} in ${country} for ${number}`, async ({ phone }) => {
        expect(await phone.parse(typed, country)).toEqual({ valid: true, number, international });
      });
    }

    for (const [typed, country] of NO_NUMBERS) {
      test(`takes '${typed.slice(0, 20)}' in ${country} for no number`, async ({ phone }) => {
        expect(await phone.parse(typed, country)).toEqual({ valid: false });
      });
    }

    for (const [typed, from, text, country] of FORMATS) {
      test(`writes '${typed}' in ${from} as '${text}'`, async ({ phone }) => {
        expect(await phone.format(typed, from)).toEqual({ text, country });
      });
    }

    test('loses no digit of what is far too long', async ({ phone }) => {
      const typed = '1234567890'.repeat(20);
      const { text } = await phone.format(typed, 'US');
      expect(text.replaceAll(/\D/gu, '')).toBe(typed);
    });

    test('rejects when it cannot load, and tries anew on the next call', async ({ phone, block }) => {
      await block(true);
      expect((await rejectionOf(phone.parse('4155552671', 'US'))) instanceof Error).toBe(true);
      expect((await rejectionOf(phone.format('4155552671', 'US'))) instanceof Error).toBe(true);
      await block(false);
      expect((await phone.parse('4155552671', 'US')).valid).toBe(true);
    });
  });
}
