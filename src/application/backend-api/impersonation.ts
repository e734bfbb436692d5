export const impersonation = {};
