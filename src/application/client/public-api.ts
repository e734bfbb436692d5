import { unreachable } from '../../domain/errors.ts';
import { OAUTH_PROVIDERS, type OAuthProvider, type OAuthStartOptions } from '../../domain/social/oauth-providers.ts';
import type { Lazy } from '../services.ts';
import type { EmailOtpOptions, SmsOtpOptions, WhatsappOtpOptions } from '../use-cases/otp-login.ts';
import type { PasswordLogin } from '../use-cases/password-login.ts';
import type { DeletionMethod } from '../use-cases/user-edits.ts';

/** One social provider. */
export interface OAuthProviderClient {
  /** Leaves the page to log in there. */
  readonly start: (options?: OAuthStartOptions) => Promise<void>;
}

type AsyncMethod = (...args: never[]) => Promise<unknown>;
type MethodOf<T> = { [Name in keyof T]: T[Name] extends AsyncMethod ? Name : never }[keyof T];

/**
 * The public methods of a client that load on demand, by public name. The table is loaded with the page; the first call loads
 * the use cases behind it. When they cannot be loaded, the call rejects as if the server were unreachable, and the next call
 * tries again.
 */
export function publicApi(load: () => Promise<Lazy>) {
  const lazily =
    <Args extends unknown[], Reply>(act: (lazy: Lazy, ...args: Args) => Promise<Reply>) =>
    async (...args: Args): Promise<Reply> => {
      const lazy = await load().catch((cause: unknown) => {
        throw unreachable(cause);
      });
      return act(lazy, ...args);
    };

  /** A method of a use case, under its name in the table. */
  const call = <Name extends keyof Lazy, Method extends MethodOf<Lazy[Name]>>(name: Name, method: Method) =>
    lazily(async (lazy, ...args: unknown[]) => {
      const useCase = lazy[name] as Record<Method, (...given: unknown[]) => Promise<unknown>>;
      return useCase[method](...args);
    }) as unknown as Lazy[Name][Method];

  const deletion = (kind: DeletionMethod) => lazily(async (lazy, id: string) => lazy.userEdits.delete(kind, id));
  const provider = (name: OAuthProvider): OAuthProviderClient => ({
    start: lazily(async (lazy, options?: OAuthStartOptions) => lazy.oauth.start(name, options)),
  });
  const providers = (Object.keys(OAUTH_PROVIDERS) as OAuthProvider[]).map((name) => [name, provider(name)] as const);

  return {
    user: {
      /** Changes the signed-in user's own fields. */
      update: call('userEdits', 'update'),
      /** The seven deletions remove a registration of the signed-in user by its id. */
      deleteEmail: deletion('deleteEmail'),
      deletePhoneNumber: deletion('deletePhoneNumber'),
      deleteTOTP: deletion('deleteTOTP'),
      deleteCryptoWallet: deletion('deleteCryptoWallet'),
      deleteOAuthRegistration: deletion('deleteOAuthRegistration'),
      deleteWebauthnRegistration: deletion('deleteWebauthnRegistration'),
      deleteBiometricRegistration: deletion('deleteBiometricRegistration'),
      /** The apps that the user signed in to through this project. */
      getConnectedApps: call('userEdits', 'connectedApps'),
      /** Revokes an app's access. The name is the wire's. */
      revokedConnectedApp: call('userEdits', 'revokeConnectedApp'),
      /** Whether a user has the address, and how that user logs in: `userType`. */
      search: call('userEdits', 'search'),
    },
    session: {
      /**
       * The user's live sessions in all browsers, at most a hundred; `next_cursor` leads to those after them, and is null after the
       * last. Rejects with `route_not_found` where a server has no such list.
       */
      list: call('ownSessions', 'list'),
      /** Ends one of them by its id. */
      revokeOther: call('ownSessions', 'revoke'),
      /** Signs out everywhere else: ends all sessions but this one, with the access that apps were given in them. */
      revokeOthers: call('ownSessions', 'revokeOthers'),
      /** Exchanges an access token that this project issued to an app for a session. */
      exchangeAccessToken: call('sessionExchange', 'exchangeAccessToken'),
      /** Exchanges a token of a trusted issuer, as a trusted-auth-token profile describes it, for a session. */
      attest: call('sessionExchange', 'attest'),
    },
    magicLinks: {
      email: {
        /** Mails a link that signs an unknown address up and logs a known one in. */
        loginOrCreate: call('magicLinks', 'loginOrCreate'),
        /** Mails a link to a known address; while a user is signed in, a link that adds the address to that user. */
        send: call('magicLinks', 'send'),
      },
      /** Exchanges the `token` of a link's query for a session. */
      authenticate: call('magicLinks', 'authenticate'),
    },
    /**
     * `loginOrCreate` also sends a six-digit passcode to an unknown address or number; `send` only to a known one, or, while
     * somebody is signed in, to one that it adds to that user. The reply's `method_id` goes into `authenticate`.
     */
    otps: {
      email: {
        loginOrCreate: lazily(async ({ otps }, email: string, options?: EmailOtpOptions) =>
          otps.loginOrCreate('email', email, options),
        ),
        send: lazily(async ({ otps }, email: string, options?: EmailOtpOptions) => otps.send('email', email, options)),
      },
      sms: {
        loginOrCreate: lazily(async ({ otps }, phone_number: string, options?: SmsOtpOptions) =>
          otps.loginOrCreate('sms', phone_number, options),
        ),
        send: lazily(async ({ otps }, phone_number: string, options?: SmsOtpOptions) =>
          otps.send('sms', phone_number, options),
        ),
      },
      whatsapp: {
        loginOrCreate: lazily(async ({ otps }, phone_number: string, options?: WhatsappOtpOptions) =>
          otps.loginOrCreate('whatsapp', phone_number, options),
        ),
        send: lazily(async ({ otps }, phone_number: string, options?: WhatsappOtpOptions) =>
          otps.send('whatsapp', phone_number, options),
        ),
      },
      /** Exchanges a passcode for a session. */
      authenticate: call('otps', 'authenticate'),
    },
    oauth: {
      ...(Object.fromEntries(providers) as Readonly<Record<OAuthProvider, OAuthProviderClient>>),
      /** Leaves the page to log in at a provider that the project names itself, such as `my-sso`. */
      start: call('oauth', 'start'),
      /** A token for `oauth_attach_token` of the same provider's `start`: adds the account to the signed-in user. */
      attach: call('oauth', 'attach'),
      /** Exchanges the `token` of the redirect's query for a session, or ends an attach in the session that began it. */
      authenticate: call('oauth', 'authenticate'),
      googleOneTap: {
        /** Shows Google's prompt. Resolves with whether it is shown, or the reason why not. */
        start: call('oneTap', 'start'),
      },
    },
    passwords: {
      /** Signs up with a password. */
      create: call('passwords', 'create'),
      authenticate: call('passwords', 'authenticate'),
      /** Mails a link to set a new password. */
      resetByEmailStart: call('passwords', 'resetByEmailStart'),
      /** Sets a new password with the token of such a link. */
      resetByEmail: call('passwords', 'resetByEmail'),
      resetByExistingPassword: call('passwords', 'resetByExistingPassword'),
      /** Sets the signed-in user's password. */
      resetBySession: call('passwords', 'resetBySession'),
      /** The server's assessment of a password; nothing is stored. */
      strengthCheck: lazily(async ({ passwords }, options: Parameters<PasswordLogin['strengthCheck']>[0]) =>
        passwords.strengthCheck(options),
      ),
    },
    totps: {
      /** A new secret for the signed-in user's authenticator app; it must be confirmed within `expiration_minutes`. */
      create: call('totps', 'create'),
      authenticate: call('totps', 'authenticate'),
      /** The recovery codes, for a lost device. */
      recoveryCodes: call('totps', 'recoveryCodes'),
      recover: call('totps', 'recover'),
    },
    /** When a ceremony fails, the promise rejects with the browser's error. */
    webauthn: {
      /** Registers a passkey or security key for the signed-in user. */
      register: call('passkeys', 'register'),
      /** Logs in with a passkey. Null when autofill was requested and the browser does not support it. */
      authenticate: call('passkeys', 'authenticate'),
      /** Renames a registration. */
      update: call('passkeys', 'update'),
      browserSupportsAutofill: call('passkeys', 'supportsAutofill'),
    },
    cryptoWallets: {
      /** Logs in with a wallet of this browser, such as `metamask`: connects it, and lets it sign the challenge. */
      logIn: call('walletLogin', 'logIn'),
      /** The challenge that the wallet has to sign. */
      authenticateStart: call('walletLogin', 'start'),
      /** Exchanges the signed challenge for a session. */
      authenticate: call('walletLogin', 'authenticate'),
    },
    impersonation: {
      /** Signs in as another user, with a token that an administrator made. */
      authenticate: call('sessionExchange', 'impersonate'),
    },
    /** This project as the authorization server of other apps. */
    idp: {
      /** The whole authorization of an app, with a question of yours in place of the consent screen. */
      authorize: call('identityProvider', 'authorize'),
      /** The scopes that the app requests, and whether the user's consent is needed. */
      oauthAuthorizeStart: call('identityProvider', 'authorizeStart'),
      /** Grants or refuses the request. The browser continues at the reply's `redirect_uri`. */
      oauthAuthorizeSubmit: call('identityProvider', 'authorizeSubmit'),
      oauthLogoutStart: call('identityProvider', 'logoutStart'),
    },
    b2b: {
      /** The organization's member with that address, or null. */
      searchMember: call('members', 'search'),
    },
  } as const;
}

export type PublicApi = ReturnType<typeof publicApi>;
/** `client.oauth`: each of the 19 providers by its name, One Tap, and the methods for the return to the page. */
export type OAuthPublic = PublicApi['oauth'];
/** The logins under their public names. */
export type PublicLogins = Pick<PublicApi, 'magicLinks' | 'otps' | 'oauth'>;
/** Every part of the client that loads on demand. */
export type OnDemandClients = Omit<PublicApi, 'user' | 'session'> & {
  readonly userEdits: PublicApi['user'];
  readonly sessionExchange: PublicApi['session'];
};
