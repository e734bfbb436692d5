import { describe, expect, it } from 'vitest';
import { ConsoleLog } from '#infrastructure/browser/console-log.ts';

describe('ConsoleLog', () => {
  it('names the package in every message', () => {
    const said: unknown[][] = [];
    const say = (...args: unknown[]): void => void said.push(args);
    const log = new ConsoleLog({ console: { warn: say, error: say } });
    log.warn('careful');
    log.error('broken', 'why');
    expect(said).toEqual([['[Portico] careful'], ['[Portico] broken', 'why']]);
  });

  it('does not throw when the console is missing, lacks a method, or throws', () => {
    const refuse = (): never => {
      throw new Error('no console');
    };
    const lacking = { console: {} as Console };
    const throwing = Object.defineProperty({}, 'console', { get: refuse });
    for (const scope of [{}, { console: undefined }, lacking, { console: { warn: refuse, error: refuse } }, throwing]) {
      const log = new ConsoleLog(scope);
      expect(() => log.warn('w')).not.toThrow();
      expect(() => log.error('e')).not.toThrow();
    }
  });
});
