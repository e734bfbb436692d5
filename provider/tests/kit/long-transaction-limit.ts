import { PATIENCE_MS } from '#tests/patience-ms.ts';

/** In place of `src/base/db/statements/transaction-limit.ts`: on a busy machine, requests that race each other take longer than users would wait. */
export const TRANSACTION_MS = PATIENCE_MS;
