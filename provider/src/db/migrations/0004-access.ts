/** Impersonation, connected apps, authorization codes. */
export const ACCESS: readonly string[] = [];
