/** How the callers of the APIs authenticate. */
export const SECURITY_SCHEMES = {
  publicToken: {
    type: 'http',
    scheme: 'basic',
    description: 'A page without a session: the user name and the password are the public token of the project.',
  },
  sessionToken: {
    type: 'http',
    scheme: 'basic',
    description:
      'A page with a session: the user name is the public token of the project, the password the session token. A project with HttpOnly ' +
      'sessions reads the token from its cookie instead.',
  },
  projectSecret: {
    type: 'http',
    scheme: 'basic',
    description: 'The app’s own server: the user name is the project id, the password a secret of the project.',
  },
} as const;
