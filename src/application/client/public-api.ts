import { onDemand, type MethodsOf, type OnDemand } from './on-demand.ts';
import { NO_EVENTS, type EventSink } from '../telemetry/event-sink.ts';
import type { ClockPort } from '../ports/index.ts';
import { OAUTH_PROVIDERS, type OAuthProvider } from '../../domain/oauth-providers.ts';
import type { Late, LateClients } from '../../composition/lazy/wire-lazy.ts';

/** The methods of each part, named here so that they are there before the part is. */
const METHODS: { readonly [Part in keyof LateClients]: MethodsOf<LateClients[Part]> } = {
  magicLinks: { emailLoginOrCreate: true, emailSend: true, authenticate: true },
  otps: {
    emailLoginOrCreate: true,
    emailSend: true,
    smsLoginOrCreate: true,
    smsSend: true,
    whatsappLoginOrCreate: true,
    whatsappSend: true,
    authenticate: true,
  },
  passwords: {
    create: true,
    authenticate: true,
    resetByEmailStart: true,
    resetByEmail: true,
    resetByExistingPassword: true,
    resetBySession: true,
    strengthCheck: true,
  },
  oauth: { start: true, startOneTap: true, authenticate: true },
  cryptoWallets: { authenticateStart: true, authenticate: true },
  totps: { create: true, authenticate: true, recoveryCodes: true, recover: true },
  webauthn: { register: true, authenticate: true, update: true, browserSupportsAutofill: true },
  sessionExchange: { exchangeAccessToken: true, attest: true },
  impersonation: { authenticate: true },
  userEdits: {
    update: true,
    deleteEmail: true,
    deletePhoneNumber: true,
    deleteTOTP: true,
    deleteCryptoWallet: true,
    deleteOAuthRegistration: true,
    deleteWebauthnRegistration: true,
    deleteBiometricRegistration: true,
    getConnectedApps: true,
    revokedConnectedApp: true,
    search: true,
  },
  b2b: { searchMember: true },
  idp: { oauthAuthorizeStart: true, oauthAuthorizeSubmit: true, oauthLogoutStart: true },
};

export type OnDemandClients = { readonly [Part in keyof LateClients]: OnDemand<LateClients[Part]> };

/** Stands for the parts of the client that are loaded by their first call. */
export function onDemandClients(load: () => Promise<Late>): OnDemandClients {
  const parts = Object.keys(METHODS) as (keyof LateClients)[];
  const stands = parts.map((part) => {
    const loadPart = async (): Promise<object> => (await load()).clients[part];
    return [part, onDemand<object>(METHODS[part], loadPart)] as const;
  });
  return Object.fromEntries(stands) as unknown as OnDemandClients;
}

/** How long after the start of a page its event log is loaded, for what the last page may have left behind. */
const EVENTS_AFTER_MS = 800;

/** Stands for the event log, which is loaded with the first event. */
export function onDemandEvents(load: () => Promise<Late>, clock: ClockPort, wanted: boolean): EventSink {
  if (!wanted) return NO_EVENTS;
  const withLog = (act: (log: EventSink) => void): void =>
    void load().then(
      ({ eventLog }) => act(eventLog),
      () => undefined,
    );
  let used = false;
  let cancel = (): void => undefined;
  return {
    start: () => {
      cancel = clock.after(EVENTS_AFTER_MS, () => {
        used = true;
        withLog((log) => log.start());
      });
    },
    log: (name, details) => {
      used = true;
      withLog((log) => log.log(name, details));
    },
    note: (event, from, config) => {
      used = true;
      withLog((log) => log.note(event, from, config));
    },
    stop: () => {
      cancel();
      if (used) withLog((log) => log.stop());
    },
  };
}

type OneArgument<T> = T extends (first: OAuthProvider, ...rest: infer Rest) => infer Answer
  ? (...rest: Rest) => Answer
  : never;

/** One social provider. */
export interface OAuthProviderClient {
  /** Leaves the page to log in there. */
  readonly start: OneArgument<OnDemandClients['oauth']['start']>;
}

/** `client.oauth`: each of the 19 providers by its name, One Tap, and what follows on the way back. */
export type OAuthPublic = Readonly<Record<OAuthProvider, OAuthProviderClient>> & {
  readonly authenticate: OnDemandClients['oauth']['authenticate'];
  readonly googleOneTap: { readonly start: OnDemandClients['oauth']['startOneTap'] };
};

/** The logins under their public names. */
export function publicLogins({ magicLinks, otps, oauth }: OnDemandClients) {
  const providers = (Object.keys(OAUTH_PROVIDERS) as OAuthProvider[]).map((provider) => {
    const start: OAuthProviderClient['start'] = async (options) => oauth.start(provider, options);
    return [provider, { start }] as const;
  });
  const oauthPublic: OAuthPublic = {
    ...(Object.fromEntries(providers) as Record<OAuthProvider, OAuthProviderClient>),
    authenticate: oauth.authenticate,
    googleOneTap: { start: oauth.startOneTap },
  };
  return {
    magicLinks: {
      email: { loginOrCreate: magicLinks.emailLoginOrCreate, send: magicLinks.emailSend },
      authenticate: magicLinks.authenticate,
    },
    otps: {
      email: { loginOrCreate: otps.emailLoginOrCreate, send: otps.emailSend },
      sms: { loginOrCreate: otps.smsLoginOrCreate, send: otps.smsSend },
      whatsapp: { loginOrCreate: otps.whatsappLoginOrCreate, send: otps.whatsappSend },
      authenticate: otps.authenticate,
    },
    oauth: oauthPublic,
  };
}

export type PublicLogins = ReturnType<typeof publicLogins>;
