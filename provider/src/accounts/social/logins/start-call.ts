import type { Shape } from '#domain/shape.ts';

/** The prefix of the paths of social logins. */
export const SOCIAL_PREFIX = '/v1/public/oauth';

/**
 * Where a browser begins a social login. The fields are the query of a GET or the form of a POST. Further fields begin with
 * `provider_`.
 */
export const socialStart = {
  path: `${SOCIAL_PREFIX}/:provider/start`,
  fields: {
    public_token: 'string',
    login_redirect_url: 'string?',
    signup_redirect_url: 'string?',
    code_challenge: 'string?',
    custom_scopes: 'string?',
    oauth_attach_token: 'string?',
  },
} as const satisfies { readonly path: string; readonly fields: Shape };

/** The fields that begin with this are passed to the page of the provider, without it. */
export const PROVIDER_PARAMETER = 'provider_';

export type SocialStartField = keyof typeof socialStart.fields;
