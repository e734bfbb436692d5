export const webauthn = {};
