/** What the password screens say. */
export const passwords = {} as const;
