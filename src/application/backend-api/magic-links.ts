export const magicLinks = {};
