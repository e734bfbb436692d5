/** What is said beside the buttons of the social logins. */
export const social = {
  'oauth.declined': 'You did not continue with {provider}. You can try again at any time.',
} as const;
