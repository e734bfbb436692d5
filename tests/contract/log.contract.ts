import type { LogPort } from '#application/ports/index.ts';
import { suite, thrownBy, type Disposable, type TestRunner } from './runner.ts';

export interface LogHarness extends Disposable {
  readonly log: LogPort;
  /** What was said, oldest first. */
  readonly said: () => readonly {
    readonly level: 'warn' | 'error';
    readonly message: string;
    readonly cause?: unknown;
  }[];
}

/** The contract of LogPort. */
export function logContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => LogHarness | Promise<LogHarness>,
): void {
  const { expect } = runner;
  suite(runner, `LogPort: ${name}`, makeHarness, (test) => {
    test('reports warnings and errors, in order, an error with its cause', ({ log, said }) => {
      const cause = new Error('why');
      const texts = ['careful', 'broken', 'worse'] as const;
      log.warn(texts[0]);
      log.error(texts[1], cause);
      log.error(texts[2]);
      expect(said().map((entry) => entry.level)).toEqual(['warn', 'error', 'error']);
      expect(said().map((entry, at) => entry.message.endsWith(texts[at]!))).toEqual([true, true, true]);
      expect(said()[1]?.cause === cause).toBe(true);
      expect(said()[2]?.cause).toBe(undefined);
    });

    test('throws at nothing it is given', ({ log }) => {
      const circular: { self?: unknown } = {};
      circular.self = circular;
      const hostile = new Proxy(
        {},
        {
          get: () => {
            throw new Error('hands off');
          },
        },
      );
      for (const cause of [circular, hostile, Symbol('s'), 1n, null, undefined, () => undefined]) {
        expect(thrownBy(() => log.error('broken', cause))).toBe(undefined);
      }
      expect(thrownBy(() => log.warn('%s %o %c'))).toBe(undefined);
    });
  });
}
