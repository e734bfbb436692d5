/** The two matchers that the suites use. */
export interface Matchers {
  readonly toBe: (expected: unknown) => unknown;
  readonly toEqual: (expected: unknown) => unknown;
}

/** What a suite needs of a test runner: `{ describe, it, expect }` of Vitest or Jest, as they are. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
  readonly expect: (actual: unknown) => Matchers;
}

/** Something made for one test; `dispose` runs when the test is over, also when it failed. */
export interface Disposable {
  readonly dispose?: () => void | Promise<void>;
}

type Test<H> = (name: string, body: (harness: H) => void | Promise<void>) => void;

/** Declares a suite in which every test gets a harness of its own. */
export function suite<H extends Disposable>(
  runner: TestRunner,
  title: string,
  makeHarness: () => H | Promise<H>,
  declare: (test: Test<H>) => void,
): void {
  runner.describe(title, () => {
    declare((name, body) => {
      runner.it(name, async () => {
        const harness = await makeHarness();
        try {
          await body(harness);
        } finally {
          await harness.dispose?.();
        }
      });
    });
  });
}

/** What a promise rejects with, or undefined when it resolves. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What a call throws, or undefined when it does not. */
export function thrownBy(call: () => unknown): unknown {
  try {
    call();
    return undefined;
  } catch (error) {
    return error;
  }
}
