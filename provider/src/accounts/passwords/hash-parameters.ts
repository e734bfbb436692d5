/** Argon2id, the library's default; OWASP's second setting: 19 MiB, two passes, one lane. */
export const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
