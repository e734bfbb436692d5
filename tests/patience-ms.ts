/** How long a test waits for what comes late on a busy machine. Only a fault reaches it. */
export const PATIENCE_MS = 120_000;
