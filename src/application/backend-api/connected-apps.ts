export const connectedApps = {};
