import type { OAuthProvider } from '#domain/social/oauth-providers.ts';
import type { OAuth2Definition } from './oauth2-provider.ts';
import type { OpenIdName } from './openid-table.ts';
import { at, listAt } from './profiles.ts';

/**
 * The built-in providers without OpenID Connect, or for which plain OAuth 2 returns more. An address counts as verified only if the linked
 * documentation says so.
 */
export const OAUTH2: Readonly<Partial<Record<OAuthProvider, OAuth2Definition>>> = {
  // https://docs.github.com/rest/users/emails: the primary address, if it is verified.
  github: {
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    scopes: ['read:user', 'user:email'],
    authentication: 'post',
    pkce: true,
    async claims(read) {
      const accept = { accept: 'application/vnd.github+json' };
      const user = await read('https://api.github.com/user', accept);
      const emails = listAt({ emails: await read('https://api.github.com/user/emails', accept) }, 'emails');
      const primary = emails.find((each) => at(each, 'primary') === true);
      return {
        sub: at(user, 'id'),
        email: at(primary, 'email'),
        email_verified: at(primary, 'verified') === true,
        name: at(user, 'name') ?? at(user, 'login'),
        picture: at(user, 'avatar_url'),
      };
    },
  },
  // https://developers.facebook.com/docs/graph-api/reference/user: the address is not documented as verified.
  facebook: {
    authorization: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
    scopes: ['public_profile', 'email'],
    authentication: 'post',
    pkce: false,
    separator: ',',
    async claims(read) {
      const fields = 'id,name,first_name,last_name,email,picture.type(large)';
      const user = await read(`https://graph.facebook.com/v23.0/me?fields=${encodeURIComponent(fields)}`);
      return {
        sub: at(user, 'id'),
        email: at(user, 'email'),
        email_verified: false,
        name: at(user, 'name'),
        given_name: at(user, 'first_name'),
        family_name: at(user, 'last_name'),
        picture: at(user, 'picture', 'data', 'url'),
      };
    },
  },
  // https://discord.com/developers/docs/resources/user: `verified` is about the address.
  discord: {
    authorization: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    scopes: ['identify', 'email'],
    authentication: 'post',
    pkce: true,
    async claims(read) {
      const user = await read('https://discord.com/api/users/@me');
      const [id, avatar] = [at(user, 'id'), at(user, 'avatar')];
      const hasPicture = typeof id === 'string' && typeof avatar === 'string';
      return {
        sub: id,
        email: at(user, 'email'),
        email_verified: at(user, 'verified') === true,
        name: at(user, 'global_name') ?? at(user, 'username'),
        picture: hasPicture ? `https://cdn.discordapp.com/avatars/${id}/${avatar}.png` : undefined,
        locale: at(user, 'locale'),
      };
    },
  },
  // https://developer.amazon.com/docs/login-with-amazon/customer-profile.html: the address is not documented as verified.
  amazon: {
    authorization: 'https://www.amazon.com/ap/oa',
    token: 'https://api.amazon.com/auth/o2/token',
    scopes: ['profile'],
    authentication: 'post',
    pkce: false,
    async claims(read) {
      const user = await read('https://api.amazon.com/user/profile');
      return { sub: at(user, 'user_id'), email: at(user, 'email'), email_verified: false, name: at(user, 'name') };
    },
  },
  // https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users: the primary address, if it is confirmed.
  bitbucket: {
    authorization: 'https://bitbucket.org/site/oauth2/authorize',
    token: 'https://bitbucket.org/site/oauth2/access_token',
    scopes: ['account', 'email'],
    authentication: 'basic',
    pkce: false,
    async claims(read) {
      const user = await read('https://api.bitbucket.org/2.0/user');
      const emails = listAt(await read('https://api.bitbucket.org/2.0/user/emails'), 'values');
      const primary = emails.find((each) => at(each, 'is_primary') === true);
      return {
        sub: at(user, 'uuid'),
        email: at(primary, 'email'),
        email_verified: at(primary, 'is_confirmed') === true,
        name: at(user, 'display_name'),
        picture: at(user, 'links', 'avatar', 'href'),
      };
    },
  },
  // https://docs.cdp.coinbase.com/coinbase-app/docs/api-users: the address is not documented as verified.
  coinbase: {
    authorization: 'https://login.coinbase.com/oauth2/auth',
    token: 'https://login.coinbase.com/oauth2/token',
    scopes: ['wallet:user:read', 'wallet:user:email'],
    authentication: 'post',
    pkce: true,
    async claims(read) {
      const user = await read('https://api.coinbase.com/v2/user', { 'CB-VERSION': '2024-01-01' });
      return {
        sub: at(user, 'data', 'id'),
        email: at(user, 'data', 'email'),
        email_verified: false,
        name: at(user, 'data', 'name'),
        picture: at(user, 'data', 'avatar_url'),
      };
    },
  },
  // https://docs.x.com/x-api/users/user-lookup-me: `confirmed_email`, for apps that request `users.email`.
  twitter: {
    authorization: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    scopes: ['users.read', 'tweet.read'],
    authentication: 'basic',
    pkce: true,
    async claims(read, scopes) {
      const fields = scopes.includes('users.email') ? 'profile_image_url,confirmed_email' : 'profile_image_url';
      const user = await read(`https://api.x.com/2/users/me?user.fields=${fields}`);
      return {
        sub: at(user, 'data', 'id'),
        email: at(user, 'data', 'confirmed_email'),
        email_verified: true,
        name: at(user, 'data', 'name'),
        picture: at(user, 'data', 'profile_image_url'),
      };
    },
  },
  // https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info: there is no address.
  tiktok: {
    authorization: 'https://www.tiktok.com/v2/auth/authorize/',
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
    scopes: ['user.info.basic'],
    authentication: 'post',
    // It requires challenges in a special format, and from native apps only.
    pkce: false,
    separator: ',',
    client_id: 'client_key',
    async claims(read) {
      const user = await read('https://open.tiktokapis.com/v2/user/info/?fields=open_id,display_name,avatar_url');
      return {
        sub: at(user, 'data', 'user', 'open_id'),
        email_verified: false,
        name: at(user, 'data', 'user', 'display_name'),
        picture: at(user, 'data', 'user', 'avatar_url'),
      };
    },
  },
  // https://developers.snap.com/snap-kit/login-kit/Tutorials/web: there is no address.
  snapchat: {
    authorization: 'https://accounts.snapchat.com/accounts/oauth2/auth',
    token: 'https://accounts.snapchat.com/accounts/oauth2/token',
    scopes: ['user.display_name', 'user.external_id'],
    authentication: 'basic',
    pkce: true,
    scopePrefix: 'https://auth.snapchat.com/oauth2/api/',
    async claims(read) {
      const query = encodeURIComponent('{me{externalId displayName}}');
      const user = await read(`https://kit.snapchat.com/v1/me?query=${query}`);
      return {
        sub: at(user, 'data', 'me', 'externalId'),
        email_verified: false,
        name: at(user, 'data', 'me', 'displayName'),
      };
    },
  },
  // https://developers.figma.com/docs/rest-api/users-endpoints/: the address is not documented as verified.
  figma: {
    authorization: 'https://www.figma.com/oauth',
    token: 'https://api.figma.com/v1/oauth/token',
    scopes: ['current_user:read'],
    authentication: 'basic',
    pkce: true,
    async claims(read) {
      const user = await read('https://api.figma.com/v1/me');
      return {
        sub: at(user, 'id'),
        email: at(user, 'email'),
        email_verified: false,
        name: at(user, 'handle'),
        picture: at(user, 'img_url'),
      };
    },
  },
} satisfies Record<Exclude<OAuthProvider, OpenIdName>, OAuth2Definition>;
