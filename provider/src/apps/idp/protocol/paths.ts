/** The endpoints, relative to `/oauth2`. */
export const PATHS = {
  authorize: '/authorize',
  formPost: '/form_post',
  logout: '/logout',
  par: '/par',
  deviceAuthorization: '/device_authorization',
  device: '/device',
  register: '/register',
  token: '/token',
  userinfo: '/userinfo',
  revoke: '/revoke',
  introspect: '/introspect',
  jwks: '/jwks.json',
} as const;

/** The prefix of each path. */
export const PREFIX = '/oauth2';
