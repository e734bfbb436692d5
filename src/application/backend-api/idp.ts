export const idp = {};
