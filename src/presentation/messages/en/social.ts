/** What the social logins, One Tap and the passkey button say. */
export const social = {} as const;
