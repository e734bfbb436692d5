import { expect, it } from 'vitest';
import { REFUSALS } from '../../../provider/src/http/refusal.ts';
import { STATUS } from '../../../src/infrastructure/fake/server/refused.ts';

it.each(Object.entries(STATUS))('the fake refuses with %s and %i as the provider does', (type, status) => {
  expect(Object.entries(REFUSALS).find(([known]) => known === type)?.[1][0]).toBe(status);
});
