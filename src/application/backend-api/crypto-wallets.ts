export const cryptoWallets = {};
