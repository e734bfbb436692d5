import { afterAll, beforeAll } from 'vitest';
import { PARAMETERS as REAL } from '#provider/accounts/passwords/hash-parameters.ts';

const LIGHT = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * In place of `src/passwords/hash-parameters.ts` where a test is about something else than the strength of the hashes: the lightest
 * ones that Argon2 knows. A tenth of the suite's computing was hashes.
 */
export const PARAMETERS = { ...LIGHT };

/** For files about the strength of the hashes, or about the time that these take: passwords have the hashes of the product. */
export function withRealHashes(): void {
  beforeAll(() => void Object.assign(PARAMETERS, REAL));
  afterAll(() => void Object.assign(PARAMETERS, LIGHT));
}
