import { AsYouType, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { FakePhone } from '#kit/ports/fake-phone.ts';
import { LibPhone } from '#infrastructure/input/lib-phone.ts';
import { phoneContract } from './phone.contract.ts';

const runner = { describe, it, expect };
const BLOCKED = new Error('Failed to fetch dynamically imported module');

phoneContract(runner, 'FakePhone', () => {
  const phone = new FakePhone();
  return { phone, block: (blocked) => void (phone.broken = blocked ? BLOCKED : null) };
});

phoneContract(runner, 'LibPhone on libphonenumber’s tables', () => {
  let blocked = false;
  const phone = new LibPhone(async () => {
    if (blocked) throw BLOCKED;
    return { AsYouType, parsePhoneNumberFromString };
  });
  return { phone, block: (now) => void (blocked = now) };
});
