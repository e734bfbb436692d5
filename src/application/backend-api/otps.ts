export const otps = {};
