import { describe, expect, it } from 'vitest';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { checkPhoneNumber } from '#provider/accounts/users/phone-numbers.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { ANY_DATABASE, basic, MINUTE, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe('texts', () => {
  const limits = {
    ...DEFAULT_LIMITS,
    textsPerRange: { max: 3, windowMs: 60 * MINUTE },
    textsPerNetwork: { max: 5, windowMs: 60 * MINUTE },
  };
  const provider = suiteProvider(ANY_DATABASE, { limits });

  const send = (phone_number: string, remoteAddress: string) =>
    provider.app.request(
      '/sdk/v1/otps/sms/login_or_create',
      {
        method: 'POST',
        headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' },
        body: JSON.stringify({ phone_number }),
      },
      { incoming: { socket: { remoteAddress } } },
    );

  it('are limited for a range of numbers, because fraudsters own whole ranges', async () => {
    for (let i = 0; i < 3; i += 1) expect((await send(`+1415555610${i}`, `203.0.113.${i}`)).status).toBe(200);
    expect((await send('+14155556999', '203.0.113.9')).status).toBe(429);
    expect((await send('+14155557000', '203.0.113.9')).status).toBe(200);
  });

  soakIt('are limited for one network, whatever the numbers', async () => {
    for (let i = 1; i < 6; i += 1) expect((await send(`+1415555${i}200`, '198.51.100.1')).status).toBe(200);
    expect((await send('+14155559200', '198.51.100.1')).status).toBe(429);
    expect((await send('+14155559200', '198.51.100.2')).status).toBe(200);
  });

  it('go to the countries that the project names', () => {
    const project = { ...DEMO_PROJECT, sms_countries: ['DE', 'US'] };
    const type = (number: string): string | null => {
      try {
        checkPhoneNumber(project, number);
        return null;
      } catch (error) {
        return (error as { type: string }).type;
      }
    };
    expect(type('+4930123456')).toBeNull();
    expect(type('+14155552671')).toBeNull();
    expect(type('+442079460958')).toBe('invalid_phone_number_country_code');
    expect(type('+80012345678')).toBe('invalid_phone_number_country_code');
    expect(type('+9991234567')).toBe('invalid_phone_number_country_code');
    expect(type('+49304')).toBe('invalid_phone_number');
    // Texts to it earn somebody money.
    expect(type('+19005551234')).toBe('invalid_phone_number');
    // A trunk zero kept, and a calling code typed twice: what a client makes of a number when it gives up parsing.
    expect(type('+49030123456')).toBe('invalid_phone_number');
    expect(type('+114155552671')).toBe('invalid_phone_number');
  });
});
