export const totps = {};
