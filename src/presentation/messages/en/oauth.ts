/** What is said beside the social logins once their buttons stand. */
export const oauth = {
  'oauth.declined': 'You did not continue with {provider}. You can try again at any time.',
  'oauth.failed': 'The login with {provider} did not work. You can try again, or log in another way.',
} as const;
