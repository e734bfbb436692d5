import type * as core from '@zxcvbn-ts/core';
import { describe, expect, it, vi } from 'vitest';
import { FakePasswordStrength } from '../../src/infrastructure/fake/fake-password-strength.ts';
import { Zxcvbn } from '../../src/infrastructure/input/zxcvbn.ts';
import { passwordStrengthContract } from './password-strength.contract.ts';

const runner = { describe, it, expect };

const broken = vi.hoisted(() => ({ now: false }));
vi.mock('@zxcvbn-ts/core', async (original) => {
  const real = await original<typeof core>();
  class Factory extends real.ZxcvbnFactory {
    constructor(...options: ConstructorParameters<typeof core.ZxcvbnFactory>) {
      if (broken.now) throw new Error('The code did not arrive.');
      super(...options);
    }
  }
  return { ...real, ZxcvbnFactory: Factory };
});

passwordStrengthContract(runner, 'FakePasswordStrength', () => {
  const passwordStrength = new FakePasswordStrength();
  return { passwordStrength, breakDown: () => void (passwordStrength.knows = false) };
});

passwordStrengthContract(runner, 'Zxcvbn', () => ({
  passwordStrength: new Zxcvbn(),
  breakDown: () => void (broken.now = true),
  dispose: () => void (broken.now = false),
}));

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
