/** What the telephone form says. */
export const phone = {} as const;
