/** How long a test waits for what comes late on a busy machine. Only a fault reaches it. A set of `SOAK_USERS` takes longer to make. */
export const PATIENCE_MS = 120_000 * Math.max(1, Number(process.env['SOAK_USERS'] ?? 0) / 100_000);
