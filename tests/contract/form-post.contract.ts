import type { FormPostPort } from '#application/ports/index.ts';
import { suite, thrownBy, type Disposable, type TestRunner } from './runner.ts';
import { UNSAFE_URLS } from './unsafe-urls.ts';

interface PostedForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface FormPostHarness extends Disposable {
  readonly formPost: FormPostPort;
  /** What was posted, the oldest first. */
  readonly posted: () => readonly PostedForm[] | Promise<readonly PostedForm[]>;
  /** How many forms and inputs the page has; 0 where it has no document. */
  readonly leftovers: () => number;
}

/** The contract of FormPostPort. */
export function formPostContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => FormPostHarness | Promise<FormPostHarness>,
): void {
  const { expect } = runner;
  suite(runner, `FormPostPort: ${name}`, makeHarness, (test) => {
    test('leaves the page by posting fields, whatever their names, and removes the form', async (harness) => {
      const { formPost, posted, leftovers } = harness;
      const before = leftovers();
      const url = 'https://elsewhere.example/in?to=1';
      const fields = { token: 'ü & <b>"=', empty: '', submit: 'a', action: 'b', method: 'c', target: 'd' };
      formPost.submit(url, fields);
      expect(await posted()).toEqual([{ url, fields }]);
      expect(leftovers()).toBe(before);
    });

    test('refuses with a RangeError an address that could run a script, names a user or has no valid host', async (harness) => {
      const { formPost, posted, leftovers } = harness;
      const before = leftovers();
      for (const url of [...UNSAFE_URLS, 'com.example.app:/callback']) {
        expect(thrownBy(() => formPost.submit(url, { a: 'b' })) instanceof RangeError).toBe(true);
      }
      expect([await posted(), leftovers()]).toEqual([[], before]);
    });
  });
}
