import { describe, expect, it, vi } from 'vitest';
import { FakePasswordStrength } from '#kit/ports/fake-password-strength.ts';
import { makeJudge, Zxcvbn } from '#infrastructure/input/zxcvbn.ts';
import { passwordStrengthContract } from './password-strength.contract.ts';

const runner = { describe, it, expect };

passwordStrengthContract(runner, 'FakePasswordStrength', () => {
  const passwordStrength = new FakePasswordStrength();
  return { passwordStrength, breakDown: () => void (passwordStrength.knows = false) };
});

passwordStrengthContract(runner, 'Zxcvbn', () => {
  let isBroken = false;
  const passwordStrength = new Zxcvbn(async () => {
    if (isBroken) throw new Error('The code did not arrive.');
    return makeJudge();
  });
  return { passwordStrength, breakDown: () => void (isBroken = true) };
});

describe('Zxcvbn', () => {
  it.each(['password1', 'letmein2', 'P4ssw0rd', 'qwerty123', 'Dragon99'])('knows that %s is common', async (common) => {
    expect(await new Zxcvbn().estimate(common, [])).toBeLessThan(3);
  });

  it('calls no other estimate', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no'));
    expect(await new Zxcvbn().estimate('correct horse', ['horse'])).not.toBeNull();
    expect(fetch).not.toHaveBeenCalled();
  });

  it('estimates a long text that is slow to match, which is possible at every key', async () => {
    const text = 'Tr0ub4dor&3 2019-12-31 qwertz abcabcabc '.repeat(100);
    expect(await new Zxcvbn().estimate(text, ['ada@example.com', 'ada', 'example.com'])).not.toBeNull();
  });
});
