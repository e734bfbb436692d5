/** The texts next to the buttons of the social logins. */
export const social = {
  'oauth.declined': 'You did not continue with {provider}. You can try again at any time.',
  'oauth.failed': 'The login with {provider} did not work. You can try again, or log in another way.',
} as const;
