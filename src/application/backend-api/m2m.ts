export const m2m = {};
