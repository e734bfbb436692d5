import { OTP_METHODS } from '#domain/contacts/channels.ts';
import { OAUTH_PROVIDERS, type OAuthProvider, type OAuthStartOptions } from '#domain/social/oauth-providers.ts';
import { methodsOf } from '#domain/later.ts';
import type { LateServices } from '../services.ts';
import type { OtpMethod } from '#domain/passcodes/otp.ts';
import type { OtpOptions } from '../use-cases/passcodes/otp-login.ts';
import type { PasswordLogin } from '../use-cases/passwords/password-login.ts';
import type { DeletionMethod } from '../use-cases/account/user-edits.ts';

/** One social provider. */
export interface OAuthProviderClient {
  /** Leaves the page to log in there. */
  readonly start: (options?: OAuthStartOptions) => Promise<void>;
}

/**
 * The public methods of a client that load on demand, by public name. The table is loaded with the page; a call loads the use case behind
 * it. If that cannot be loaded, the call rejects as if the server were unreachable, and the next call tries again.
 *
 * @param load rejects like the `load` of a `Later`
 */
export function publicApi(load: () => Promise<LateServices>) {
  const late = <Name extends keyof LateServices>(name: Name) => methodsOf(async () => (await load())[name]);
  const userEdits = late('userEdits');
  const ownSessions = late('ownSessions');
  const sessionExchange = late('sessionExchange');
  const magicLinks = late('magicLinks');
  const otps = late('otps');
  const oauth = late('oauth');
  const passwords = late('passwords');
  const totps = late('totps');
  const secondFactor = late('secondFactor');
  const profile = late('profile');
  const passkeys = late('passkeys');
  const walletLogin = late('walletLogin');
  const identityProvider = late('identityProvider');

  const passcodesBy = <M extends OtpMethod>(method: M) => ({
    loginOrCreate: async (destination: string, options?: OtpOptions[M]) =>
      otps.loginOrCreate(method, destination, options),
    send: async (destination: string, options?: OtpOptions[M]) => otps.send(method, destination, options),
  });
  const deletion = (kind: DeletionMethod) => async (id: string) => userEdits.delete(kind, id);
  const provider = (name: OAuthProvider): OAuthProviderClient => ({
    start: async (options?: OAuthStartOptions) => oauth.start(name, options),
  });
  const providers = (Object.keys(OAUTH_PROVIDERS) as OAuthProvider[]).map((name) => [name, provider(name)] as const);

  return {
    user: {
      /** Changes the signed-in user's own fields. */
      update: userEdits.update,
      /** The seven deletions each remove one of the signed-in user's registrations by its id. */
      deleteEmail: deletion('deleteEmail'),
      deletePhoneNumber: deletion('deletePhoneNumber'),
      deleteTOTP: deletion('deleteTOTP'),
      deleteCryptoWallet: deletion('deleteCryptoWallet'),
      deleteOAuthRegistration: deletion('deleteOAuthRegistration'),
      deleteWebauthnRegistration: deletion('deleteWebauthnRegistration'),
      deleteBiometricRegistration: deletion('deleteBiometricRegistration'),
      /**
       * Deletes the signed-in user with all of their data. Rejects with `mfa_required` or `login_required` unless the session has a proof
       * of the last ten minutes, and with `route_not_found` if the project does not allow it.
       */
      deleteAccount: userEdits.deleteAccount,
      /** Everything that the server stores about the signed-in user, as `data`, without secrets. */
      exportData: userEdits.exportData,
      /** The apps that the user signed in to through this project. */
      getConnectedApps: userEdits.connectedApps,
      /** Revokes an app's access. The name is the wire's. */
      revokedConnectedApp: userEdits.revokeConnectedApp,
      /** Whether a user has the address, and how that user logs in: `userType`. */
      search: userEdits.search,
    },
    session: {
      /**
       * The user's live sessions in all browsers, at most a hundred. `next_cursor` requests the next ones, and is null at the end. Rejects
       * with `route_not_found` if the server has no such list.
       */
      list: ownSessions.list,
      /** Ends one of them by its id. */
      revokeOther: ownSessions.revoke,
      /** Signs out everywhere else: ends all other sessions, and the access that apps were given in them. */
      revokeOthers: ownSessions.revokeOthers,
      /** Exchanges an access token that this project issued to an app for a session. */
      exchangeAccessToken: sessionExchange.exchangeAccessToken,
      /** Exchanges a trusted issuer's token (a trusted-auth-token profile) for a session. */
      attest: sessionExchange.attest,
    },
    magicLinks: {
      email: {
        /** Sends an email with a link that signs up an unknown address, and logs in a known one. */
        loginOrCreate: magicLinks.loginOrCreate,
        /** Sends an email with a link to a known address. While a user is signed in, the link adds the address to that user. */
        send: magicLinks.send,
      },
      /** Exchanges the `token` of a link's query for a session. */
      authenticate: magicLinks.authenticate,
    },
    /**
     * `loginOrCreate` also sends a six-digit passcode to an unknown address or number. `send` sends only to a known one or, if there is a
     * session, to one to add to its user. Pass the reply's `method_id` to `authenticate`.
     */
    otps: {
      ...(Object.fromEntries(OTP_METHODS.map((method) => [method, passcodesBy(method)])) as {
        readonly [M in OtpMethod]: ReturnType<typeof passcodesBy<M>>;
      }),
      /** Exchanges a passcode for a session. */
      authenticate: otps.authenticate,
    },
    oauth: {
      ...(Object.fromEntries(providers) as Readonly<Record<OAuthProvider, OAuthProviderClient>>),
      /** Leaves the page to log in at a provider that the project itself defines, such as `my-sso`. */
      start: oauth.start,
      /** A token for `oauth_attach_token` of the same provider's `start`, which adds the account to the signed-in user. */
      attach: oauth.attach,
      /**
       * Exchanges the `token` of the redirect's query for a session, or completes the attachment of an account in the session that began
       * it.
       */
      authenticate: oauth.authenticate,
      googleOneTap: {
        /** Shows Google's prompt. Resolves with whether it is shown or, if not, the reason. */
        start: late('oneTapLogin').start,
      },
    },
    passwords: {
      /** Signs up with a password. */
      create: passwords.create,
      authenticate: passwords.authenticate,
      /** Sends an email with a link to set a new password. */
      resetByEmailStart: passwords.resetByEmailStart,
      /** Sets a new password with the token of such a link. */
      resetByEmail: passwords.resetByEmail,
      resetByExistingPassword: passwords.resetByExistingPassword,
      /** Sets the signed-in user's password. */
      resetBySession: passwords.resetBySession,
      /** The server's assessment of a password; nothing is stored. */
      strengthCheck: async (options: Parameters<PasswordLogin['strengthCheck']>[0]) => passwords.strengthCheck(options),
    },
    totps: {
      /** A new secret for the signed-in user's authenticator app; it must be confirmed within `expiration_minutes`. */
      create: totps.create,
      authenticate: totps.authenticate,
      /** The recovery codes, for a lost device. */
      recoveryCodes: totps.recoveryCodes,
      recover: totps.recover,
    },
    /**
     * The second factor of a login, if the project requires one: the login's reply then has `mfa` instead of a session. `totps`, `webauthn`
     * and `otps.authenticate` complete it.
     */
    mfa: {
      /** The missing step of this browser's login, for a page that was reloaded. */
      status: secondFactor.status,
      /** Sends a code to one of the step's numbers. */
      sendCode: secondFactor.sendCode,
      /** Sends a code to a number that the user adds as the second factor. */
      addPhone: secondFactor.addPhone,
      /** Begins the removal of lost second factors, which takes effect after a wait and can be stopped. */
      startRecovery: secondFactor.startRecovery,
      /** The signed-in user's pending removal, or null. */
      recovery: secondFactor.recovery,
      /** Stops it. */
      stopRecovery: secondFactor.stopRecovery,
      /** How many recovery codes the signed-in user has left; null without an authenticator app. */
      recoveryCodes: secondFactor.recoveryCodes,
      /** Makes new recovery codes, which replace all others. */
      renewRecoveryCodes: secondFactor.renewRecoveryCodes,
      /** The browsers in which the signed-in user's login needs only one factor. */
      trustedDevices: secondFactor.trustedDevices,
      removeTrustedDevice: secondFactor.removeTrustedDevice,
    },
    /** The fields and terms that the project asks its users for. A login that lacks some has `mfa.profile` instead of a session. */
    profile: {
      /** The signed-in user's fields and terms; null in a project that asks for none. */
      get: profile.get,
      /** Completes the login with what it lacks. */
      complete: profile.complete,
      /** Changes the signed-in user's fields, and accepts terms. */
      update: profile.update,
    },
    /** When a ceremony fails, the promise rejects with the browser's error. */
    webauthn: {
      /** Registers a passkey or security key for the signed-in user. */
      register: passkeys.register,
      /** Logs in with a passkey. Null if autofill was requested but the browser does not support it. */
      authenticate: passkeys.authenticate,
      /** Renames a registration. */
      update: passkeys.update,
      browserSupportsAutofill: passkeys.supportsAutofill,
    },
    cryptoWallets: {
      /** Logs in with a wallet of this browser, such as `metamask`: connects it, and requests its signature of the challenge. */
      logIn: walletLogin.logIn,
      /** The challenge for the wallet to sign. */
      authenticateStart: walletLogin.start,
      /** Exchanges the signed challenge for a session. */
      authenticate: walletLogin.authenticate,
    },
    impersonation: {
      /** Signs in as another user, with a token that an administrator made. */
      authenticate: sessionExchange.impersonate,
    },
    /** This project as the authorization server of other apps. */
    idp: {
      /** The whole authorization of an app, with the host's own question instead of the consent screen. */
      authorize: identityProvider.authorize,
      /** The scopes that the app requests, and whether the user's consent is needed. */
      oauthAuthorizeStart: identityProvider.authorizeStart,
      /** Grants or refuses the request. The browser continues at the reply's `redirect_uri`. */
      oauthAuthorizeSubmit: identityProvider.authorizeSubmit,
      oauthLogoutStart: identityProvider.logoutStart,
    },
    b2b: {
      /** The organization's member with that address, or null. */
      searchMember: late('members').search,
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
