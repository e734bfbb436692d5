import type { CaptchaPort } from '#application/ports/index.ts';
import { suite, type Disposable, type TestRunner } from './runner.ts';
import { SERVICE_TROUBLES, type ServiceControls } from './service.ts';

export interface CaptchaHarness extends Disposable, ServiceControls {
  /** For a page in which nobody has asked yet, and a service that works. */
  readonly captcha: CaptchaPort;
  readonly siteKey: string;
}

/** The contract of CaptchaPort. */
export function captchaContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => CaptchaHarness | Promise<CaptchaHarness>,
): void {
  const { expect } = runner;
  suite(runner, `CaptchaPort: ${name}`, makeHarness, (test) => {
    test('answers a fresh token each time', async ({ captcha, siteKey }) => {
      const tokens = [await captcha.token(siteKey), await captcha.token(siteKey), await captcha.token(siteKey)];
      expect(tokens.map((token) => typeof token === 'string' && token !== '')).toEqual([true, true, true]);
      expect(new Set(tokens).size).toBe(3);
    });

    test('loads what it needs on the first call, once', async ({ captcha, siteKey, loads }) => {
      expect(loads?.() ?? 0).toBe(0);
      await Promise.all([captcha.token(siteKey), captcha.token(siteKey)]);
      await captcha.token(siteKey);
      expect(loads?.() ?? 1).toBe(1);
    });

    for (const trouble of SERVICE_TROUBLES) {
      test(`answers null in 5 s when the service ${trouble}, and tries anew on the next call`, async (harness) => {
        const { captcha, siteKey, bring, pass } = harness;
        await bring(trouble);
        const token = captcha.token(siteKey);
        await pass(5_000);
        expect(await token).toBe(null);
        await bring(null);
        expect(typeof (await captcha.token(siteKey))).toBe('string');
      });
    }
  });
}
