import { byPhone } from '#domain/contacts/by-phone.ts';
import {
  ENROLMENT,
  OPEN,
  OWN_SESSION,
  PROVEN_SESSION,
  SECOND_FACTOR_PROOF,
  SECOND_FACTOR_START,
  SESSION,
  type Gate,
  type GatesOf,
} from '#domain/rules/gates.ts';
import type { backendApi } from '#provider/base/backend-api/backend-api.ts';

/** The app's own server, authenticated by its secret, acting for its users. These calls require no user session. */
const SERVER = OPEN;

/** The gate with this API's refusals. Here the JWT alone is as good as the token, because the secret authenticates the app. */
type ByServer<G extends Gate> = Omit<G, 'none' | 'ended' | 'intermediate' | 'jwt_alone'> & {
  readonly none: 'session_not_found';
  readonly ended: 'session_not_found';
  readonly intermediate: G['intermediate'] extends 'passes' ? 'passes' : 'session_not_found';
  readonly jwt_alone: 'passes';
};

function byServer<G extends Gate>(gate: G): ByServer<G> {
  const intermediate = gate.intermediate === 'passes' ? 'passes' : 'session_not_found';
  const words = { none: 'session_not_found', ended: 'session_not_found', intermediate, jwt_alone: 'passes' };
  return { ...gate, ...words } as unknown as ByServer<G>;
}

/** The app's own server may vouch for a user instead of presenting their session. */
type OptionalSession<G extends Gate> = Omit<ByServer<G>, 'none' | 'intermediate'> & {
  readonly none: 'passes';
  readonly intermediate: 'passes';
};

const optionalSession = <G extends Gate>(gate: G) =>
  ({ ...byServer(gate), none: 'passes', intermediate: 'passes' }) as unknown as OptionalSession<G>;

const APPS_OF_THE_PROJECT = { create: SERVER, search: SERVER, get: SERVER, update: SERVER, delete: SERVER } as const;
const ROTATION = { rotateStart: SERVER, rotateCancel: SERVER, rotate: SERVER } as const;

/** The gate of each call of the backend API, for requests that present a session. */
export const backendGates = {
  connectedApps: { ...APPS_OF_THE_PROJECT, ...ROTATION },
  cryptoWallets: {
    authenticateStart: optionalSession(PROVEN_SESSION),
    authenticate: { ...optionalSession(SESSION), adds: byServer(PROVEN_SESSION) },
  },
  idp: {
    authorizeStart: optionalSession(OWN_SESSION),
    authorize: { ...optionalSession(OWN_SESSION), lasting: byServer(PROVEN_SESSION) },
  },
  impersonation: { authenticate: SERVER },
  m2m: { ...APPS_OF_THE_PROJECT, ...ROTATION },
  magicLinks: {
    create: SERVER,
    authenticate: { ...SERVER, adds: byServer(ENROLMENT) },
    emailLoginOrCreate: SERVER,
    emailSend: optionalSession(PROVEN_SESSION),
    emailInvite: SERVER,
    emailRevokeInvite: SERVER,
  },
  oauth: {
    attach: optionalSession(PROVEN_SESSION),
    authenticate: { ...SERVER, adds: byServer(PROVEN_SESSION) },
  },
  otps: {
    emailLoginOrCreate: SERVER,
    emailSend: optionalSession(PROVEN_SESSION),
    ...byPhone(() => ({ loginOrCreate: SERVER, send: optionalSession(PROVEN_SESSION) })),
    authenticate: { ...SERVER, adds: byServer(ENROLMENT) },
  },
  passwords: {
    create: SERVER,
    authenticate: SERVER,
    strengthCheck: SERVER,
    migrate: SERVER,
    resetByEmailStart: SERVER,
    resetByEmail: SERVER,
    resetByExistingPassword: SERVER,
    resetBySession: byServer(PROVEN_SESSION),
  },
  rbac: { policy: SERVER },
  sessions: {
    get: SERVER,
    authenticate: { ...SERVER, ended: 'session_not_found', lacking: 'mfa_required', withUser: true },
    revoke: SERVER,
    revokeAll: SERVER,
    attest: SERVER,
    exchangeAccessToken: SERVER,
    migrate: SERVER,
  },
  totps: {
    create: SERVER,
    // The first code adds the app to the account.
    authenticate: { ...optionalSession(SECOND_FACTOR_PROOF), adds: optionalSession(ENROLMENT) },
    recoveryCodes: SERVER,
    recover: { ...optionalSession(SECOND_FACTOR_PROOF), adds: optionalSession(ENROLMENT) },
  },
  users: {
    create: SERVER,
    search: SERVER,
    deleteEmail: SERVER,
    deletePhoneNumber: SERVER,
    deleteTOTP: SERVER,
    deleteCryptoWallet: SERVER,
    deleteOAuthRegistration: SERVER,
    deleteWebauthnRegistration: SERVER,
    deleteBiometricRegistration: SERVER,
    deletePassword: SERVER,
    get: SERVER,
    update: SERVER,
    delete: SERVER,
    deleteExternalId: SERVER,
    exchangePrimaryFactor: SERVER,
    connectedApps: SERVER,
    revokeConnectedApp: SERVER,
  },
  webauthn: {
    registerStart: SERVER,
    register: SERVER,
    authenticateStart: SERVER,
    authenticate: { ...SERVER, proves: byServer(SECOND_FACTOR_START) },
    update: SERVER,
    listCredentials: SERVER,
  },
} as const satisfies GatesOf<typeof backendApi>;
