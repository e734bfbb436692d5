export const rbac = {};
