import { describe, expect, it } from 'vitest';
import { FakeCaptcha } from '#kit/ports/fake-captcha.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { RecaptchaEnterprise } from '#infrastructure/risk/recaptcha-enterprise.ts';
import { ScriptLoader } from '#infrastructure/risk/script-loader.ts';
import { StandInRecaptcha } from '../unit/infrastructure/support/risk-services.ts';
import { ScriptPage } from '../unit/infrastructure/support/script-page.ts';
import { captchaContract } from './captcha.contract.ts';

const runner = { describe, it, expect };

captchaContract(runner, 'FakeCaptcha', () => {
  const captcha = new FakeCaptcha();
  return {
    captcha,
    siteKey: 'key',
    bring: (trouble) => void (captcha.down = trouble !== null),
    pass: () => undefined,
  };
});

captchaContract(runner, 'RecaptchaEnterprise on a stand-in of the service', () => {
  const [page, clock, service] = [new ScriptPage(), new VirtualClock(), new StandInRecaptcha()];
  const script = 'https://www.google.com/recaptcha/enterprise.js';
  const run = service.run.bind(service);
  page.served.set(script, run);
  const loader = new ScriptLoader(page.window, clock, { 'https://www.google.com': 'no-cors' });
  return {
    captcha: new RecaptchaEnterprise(page.window, clock, loader),
    siteKey: 'a key/of=some&kind',
    bring: (trouble) => {
      service.trouble = trouble;
      page.served.set(script, trouble === 'is blocked' ? 'blocked' : trouble === 'does not answer' ? 'hangs' : run);
    },
    pass: async (ms) => {
      await clock.advance(ms);
    },
    loads: () => page.appended.length,
  };
});
