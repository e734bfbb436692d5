export const passwords = {};
