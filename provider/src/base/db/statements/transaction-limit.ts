/** The time limit of a transaction, because it holds locks and, in the embedded database, the only connection. */
export const TRANSACTION_MS = 10_000;
