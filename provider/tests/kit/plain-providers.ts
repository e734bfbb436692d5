/** What a provider's documents say about logins. */
export interface DocumentedProvider {
  /** The page for logins, as the provider's documents give it. */
  readonly page: string;
  readonly scope: string;
  readonly pkce: boolean;
  readonly token: string;
  /** How the client is named in the token request. */
  readonly client: 'post' | 'basic' | 'client_key';
  readonly reply?: object;
  /** The documents that are read with the access token. */
  readonly documents: Readonly<Record<string, object>>;
  readonly subject: string;
  /** The address that is linked, because the provider says that it verified it. */
  readonly trusted: string | null;
  readonly picture?: string;
}

export const BEARER = { access_token: 'their-token', token_type: 'bearer' };

/** The providers without OpenID Connect, with replies as their documents show them. */
export const PLAIN_PROVIDERS: Readonly<Record<string, DocumentedProvider>> = {
  github: {
    page: 'https://github.com/login/oauth/authorize',
    scope: 'read:user user:email',
    pkce: true,
    token: 'https://github.com/login/oauth/access_token',
    client: 'post',
    reply: { ...BEARER, scope: 'read:user,user:email' },
    documents: {
      'https://api.github.com/user': {
        login: 'octocat',
        id: 583_231,
        name: 'Mona Lisa',
        email: 'unverified@example.com',
        avatar_url: 'https://avatars.githubusercontent.com/u/583231',
      },
      'https://api.github.com/user/emails': [
        { email: 'old@example.com', primary: false, verified: true, visibility: null },
        { email: 'octocat@example.com', primary: true, verified: true, visibility: 'public' },
      ],
    },
    subject: '583231',
    trusted: 'octocat@example.com',
    picture: 'https://avatars.githubusercontent.com/u/583231',
  },
  facebook: {
    page: 'https://www.facebook.com/v23.0/dialog/oauth',
    scope: 'public_profile,email',
    pkce: false,
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
    client: 'post',
    reply: { ...BEARER, expires_in: 5_183_944 },
    documents: {
      'https://graph.facebook.com/v23.0/me': {
        id: '10158',
        name: 'Ada Lovelace',
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'facebook@example.com',
        picture: { data: { url: 'https://platform-lookaside.fbsbx.com/a.jpg', is_silhouette: false } },
      },
    },
    subject: '10158',
    trusted: null,
    picture: 'https://platform-lookaside.fbsbx.com/a.jpg',
  },
  discord: {
    page: 'https://discord.com/oauth2/authorize',
    scope: 'identify email',
    pkce: true,
    token: 'https://discord.com/api/oauth2/token',
    client: 'post',
    reply: { ...BEARER, token_type: 'Bearer', expires_in: 604_800, refresh_token: 'theirs', scope: 'identify email' },
    documents: {
      'https://discord.com/api/users/@me': {
        id: '80351110224678912',
        username: 'nelly',
        global_name: 'Nelly',
        avatar: '8342729096ea3675442027381ff50dfe',
        verified: true,
        email: 'nelly@example.com',
        locale: 'en-US',
      },
    },
    subject: '80351110224678912',
    trusted: 'nelly@example.com',
    picture: 'https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png',
  },
  amazon: {
    page: 'https://www.amazon.com/ap/oa',
    scope: 'profile',
    pkce: false,
    token: 'https://api.amazon.com/auth/o2/token',
    client: 'post',
    reply: { ...BEARER, expires_in: 3600, refresh_token: 'theirs' },
    documents: {
      'https://api.amazon.com/user/profile': {
        user_id: 'amzn1.account.K2LI23KL2LK2',
        email: 'amazon@example.com',
        name: 'John Doe',
        postal_code: '98052',
      },
    },
    subject: 'amzn1.account.K2LI23KL2LK2',
    trusted: null,
  },
  bitbucket: {
    page: 'https://bitbucket.org/site/oauth2/authorize',
    scope: 'account email',
    pkce: false,
    token: 'https://bitbucket.org/site/oauth2/access_token',
    client: 'basic',
    reply: { ...BEARER, scopes: 'account email', expires_in: 7200, refresh_token: 'theirs' },
    documents: {
      'https://api.bitbucket.org/2.0/user': {
        uuid: '{d301aafa-d676-4ee0-88be-962be7417567}',
        display_name: 'Erik',
        links: { avatar: { href: 'https://bitbucket.org/account/erik/avatar/' } },
      },
      'https://api.bitbucket.org/2.0/user/emails': {
        values: [
          { type: 'email', email: 'second@example.com', is_primary: false, is_confirmed: true },
          { type: 'email', email: 'erik@example.com', is_primary: true, is_confirmed: true },
        ],
      },
    },
    subject: '{d301aafa-d676-4ee0-88be-962be7417567}',
    trusted: 'erik@example.com',
    picture: 'https://bitbucket.org/account/erik/avatar/',
  },
  coinbase: {
    page: 'https://login.coinbase.com/oauth2/auth',
    scope: 'wallet:user:read wallet:user:email',
    pkce: true,
    token: 'https://login.coinbase.com/oauth2/token',
    client: 'post',
    reply: { ...BEARER, expires_in: 3599, refresh_token: 'theirs', scope: 'wallet:user:read wallet:user:email' },
    documents: {
      'https://api.coinbase.com/v2/user': {
        data: { id: '9da7a204', name: 'User One', email: 'coinbase@example.com', avatar_url: 'http://x.example/a.png' },
      },
    },
    subject: '9da7a204',
    trusted: null,
  },
  twitter: {
    page: 'https://x.com/i/oauth2/authorize',
    scope: 'users.read tweet.read',
    pkce: true,
    token: 'https://api.x.com/2/oauth2/token',
    client: 'basic',
    reply: { ...BEARER, expires_in: 7200, scope: 'users.email users.read tweet.read' },
    documents: {
      'https://api.x.com/2/users/me': {
        data: {
          id: '2244994945',
          name: 'X Dev',
          username: 'XDevelopers',
          confirmed_email: 'x@example.com',
          profile_image_url: 'https://pbs.twimg.com/a.jpg',
        },
      },
    },
    subject: '2244994945',
    trusted: 'x@example.com',
    picture: 'https://pbs.twimg.com/a.jpg',
  },
  tiktok: {
    page: 'https://www.tiktok.com/v2/auth/authorize/',
    scope: 'user.info.basic',
    pkce: false,
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
    client: 'client_key',
    reply: { ...BEARER, expires_in: 86_400, open_id: 'afd97af1', scope: 'user.info.basic', refresh_token: 'theirs' },
    documents: {
      'https://open.tiktokapis.com/v2/user/info/': {
        data: { user: { open_id: 'afd97af1', display_name: 'Tik Toker', avatar_url: 'https://p19.tiktokcdn.com/a' } },
        error: { code: 'ok', message: '', log_id: '2022' },
      },
    },
    subject: 'afd97af1',
    trusted: null,
    picture: 'https://p19.tiktokcdn.com/a',
  },
  snapchat: {
    page: 'https://accounts.snapchat.com/accounts/oauth2/auth',
    scope:
      'https://auth.snapchat.com/oauth2/api/user.display_name https://auth.snapchat.com/oauth2/api/user.external_id',
    pkce: true,
    token: 'https://accounts.snapchat.com/accounts/oauth2/token',
    client: 'basic',
    reply: { ...BEARER, expires_in: 1800, refresh_token: 'theirs' },
    documents: {
      'https://kit.snapchat.com/v1/me': {
        data: { me: { externalId: 'CAESIPiRBp0e5gLDq7VVurQ3rVdmdbqxpOJWynjyBL', displayName: 'Ada' } },
        errors: [],
      },
    },
    subject: 'CAESIPiRBp0e5gLDq7VVurQ3rVdmdbqxpOJWynjyBL',
    trusted: null,
  },
  figma: {
    page: 'https://www.figma.com/oauth',
    scope: 'current_user:read',
    pkce: true,
    token: 'https://api.figma.com/v1/oauth/token',
    client: 'basic',
    reply: { user_id_string: '987', access_token: 'their-token', token_type: 'bearer', expires_in: 7_776_000 },
    documents: {
      'https://api.figma.com/v1/me': {
        id: '987',
        email: 'figma@example.com',
        handle: 'Designer',
        img_url: 'https://s3-alpha.figma.com/profile/a',
      },
    },
    subject: '987',
    trusted: null,
    picture: 'https://s3-alpha.figma.com/profile/a',
  },
};
