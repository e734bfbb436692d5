/** What the consent and logout pages say. */
export const consent = {} as const;
