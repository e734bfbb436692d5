/** What is said beside the social logins once their buttons stand. */
export const oauth = {
  'oauth.declined': 'You did not continue with {provider}. You can try again at any time.',
} as const;
