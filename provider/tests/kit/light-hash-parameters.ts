/**
 * In place of `src/passwords/hash-parameters.ts` where a test is about something else than the strength of the hashes: the lightest
 * ones that Argon2 knows. A tenth of the suite's computing was hashes.
 */
export const PARAMETERS = { memoryCost: 8, timeCost: 1, parallelism: 1 };
