import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { triesOfStep } from '#provider/accounts/sessions/reading/step-tries.ts';
import { take } from '#provider/base/security/limits.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { EITHER_DATABASE, otherThan, type Provider } from '../kit/harness.ts';
import { enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { codeOf, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';
import { oneOf } from '#tests/soak.ts';

/**
 * Of more requests at once than a login has tries, the last are refused while the first are still being checked: one of those may have
 * the right code, so that the login must not end under it.
 */

const { triesPerTotp } = DEFAULT_LIMITS;

describe.each(EITHER_DATABASE)(
  'the second factor, entered more often at once than there are tries, on %s',
  (_, url) => {
    let provider: Provider;
    beforeAll(async () => {
      provider = await makeTarget(url, { triesPerTotp }, { mfa: { policy: 'when_enrolled' } });
    });
    afterAll(() => provider.close());

    const start = async () => {
      const user = await makeGuarded(provider, uniqueEmail('at-once'));
      const browser = new LoginBrowser(provider);
      await enterEmail(provider, browser, user.email);
      return { user, browser };
    };
    const enter = async (browser: LoginBrowser, totp_code: string) => {
      const { status, body } = await browser.post('/totps/authenticate', { totp_code, ...MINUTES });
      return [status, body['error_type']];
    };

    it('does not end a login whose tries are all still being checked', async () => {
      const { user, browser } = await start();
      const row = { token_hash: tokenHash(String(browser.fields['intermediate_session_token'])) };
      // What as many requests have counted that wait for the user's row.
      for (let tries = 0; tries < triesPerTotp.max; tries += 1) {
        await take(provider.services, triesOfStep(row), triesPerTotp, 'user_lock_limit_reached');
      }
      const right = codeOf(provider, user.secret);
      expect(await enter(browser, right)).toEqual([429, 'too_many_mfa_attempts']);
      expect((await browser.post('/mfa/status')).status).toBe(200);
      // It opens nothing more all the same.
      expect(await enter(browser, right)).toEqual([429, 'too_many_mfa_attempts']);
    });

    it('ends a login whose tries were wrong', async () => {
      const { user, browser } = await start();
      const wrong = otherThan(codeOf(provider, user.secret));
      for (let tries = 0; tries < triesPerTotp.max; tries += 1) {
        expect(await enter(browser, wrong)).toEqual([404, 'otp_code_not_found']);
      }
      expect(await enter(browser, codeOf(provider, user.secret))).toEqual([429, 'too_many_mfa_attempts']);
      expect((await browser.post('/mfa/status')).status).toBe(401);
    });

    it.each(oneOf(2, ['app', 'recovery code']))(
      'becomes one session of twenty requests with the right %s at once',
      async (kind) => {
        const { user, browser } = await start();
        const [path, fields] =
          kind === 'app'
            ? ['/totps/authenticate', { totp_code: codeOf(provider, user.secret) }]
            : ['/totps/recover', { recovery_code: user.recovery_codes[0] }];
        const replies = await Promise.all(
          Array.from({ length: 20 }, () => browser.post(path, { ...fields, ...MINUTES })),
        );
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      },
    );
  },
);
