export const oauth = {};
