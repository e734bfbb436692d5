import { api, API_PREFIX, type Endpoint } from '#application/api/index.ts';
import { backendApi, BACKEND_PREFIX } from '../backend-api/backend-api.ts';

type EndpointKey = Pick<Endpoint, 'method' | 'path'>;

/** The calls that end with a session, by their login method. They have the same names in both APIs. */
const loginsOf = (table: typeof api | typeof backendApi): Readonly<Record<string, readonly EndpointKey[]>> => ({
  otp: [table.otps.authenticate],
  magic_link: [table.magicLinks.authenticate],
  password: [table.passwords.authenticate],
  password_created: [table.passwords.create],
  password_reset: [
    table.passwords.resetByEmail,
    table.passwords.resetByExistingPassword,
    table.passwords.resetBySession,
  ],
  oauth: [table.oauth.authenticate],
  webauthn: [table.webauthn.authenticate],
  crypto_wallet: [table.cryptoWallets.authenticate],
  totp: [table.totps.authenticate],
  recovery_code: [table.totps.recover],
  trusted_token: [table.sessions.attest],
  access_token: [table.sessions.exchangeAccessToken],
  impersonation: [table.impersonation.authenticate],
});

const METHODS = new Map(
  (
    [
      [API_PREFIX, { ...loginsOf(api), one_tap: [api.oauth.oneTapSubmit] }],
      [BACKEND_PREFIX, loginsOf(backendApi)],
    ] as const
  ).flatMap(([prefix, logins]) =>
    Object.entries(logins).flatMap(([name, calls]) =>
      calls.map(({ method, path }): [string, string] => [`${method} ${prefix}${path}`, name]),
    ),
  ),
);

/** The names of all login methods. */
export const LOGIN_METHODS: ReadonlySet<string> = new Set(METHODS.values());

/** The login method of the call; undefined for a call that does not log in. */
export function loginMethodOf(call: { readonly method: string; readonly pattern: string }): string | undefined {
  return METHODS.get(`${call.method} ${call.pattern}`);
}
