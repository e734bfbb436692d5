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
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'stytch_session',
    description:
      'A browser with an HttpOnly session: the value of the cookie is the session token. The project file can set another name.',
  },
  projectSecret: {
    type: 'http',
    scheme: 'basic',
    description: 'The app’s own server: the user name is the project id, the password a secret of the project.',
  },
  clientSecret: {
    type: 'http',
    scheme: 'basic',
    description:
      'A confidential client of OAuth: the user name is its id, the password its secret. It may send both in the form instead, or an ' +
      'assertion that it signed. A public client sends only its id, in the form.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token of this authorization server. A token that is bound to a key has the scheme `DPoP` and needs a proof.',
  },
  registrationToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a registration, or the operator’s token for a first one.',
  },
} as const;
