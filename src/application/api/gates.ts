import { byPhone } from '#domain/contacts/by-phone.ts';
import {
  ANY_SESSION,
  ENROLMENT,
  FRESH_SESSION,
  OPEN,
  OWN_SESSION,
  PROVEN_SESSION,
  SECOND_FACTOR_PROOF,
  SECOND_FACTOR_START,
  SESSION,
  SESSION_WITH_TOKEN,
  STEP,
  USER_OR_APP,
  type GatesOf,
} from '#domain/rules/gates.ts';
import type { api } from './api.ts';

/** With `prompt=none` the app gets the reason: nobody is signed in, or a factor is missing. */
const SILENT = { ...OWN_SESSION, none: 'passes', ended: 'passes', intermediate: 'passes', lacking: 'passes' } as const;

/** Which callers may make each call of the wire. The provider and the server in memory use only this table. */
export const gates = {
  projects: { bootstrap: OPEN },
  users: {
    me: SESSION,
    update: SESSION_WITH_TOKEN,
    delete: FRESH_SESSION,
    export: PROVEN_SESSION,
    deleteEmail: PROVEN_SESSION,
    deletePhoneNumber: PROVEN_SESSION,
    deleteTOTP: PROVEN_SESSION,
    deleteCryptoWallet: PROVEN_SESSION,
    deleteOAuthRegistration: PROVEN_SESSION,
    deleteWebauthnRegistration: PROVEN_SESSION,
    deleteBiometricRegistration: PROVEN_SESSION,
    connectedApps: SESSION,
    revokeConnectedApp: USER_OR_APP,
    search: OPEN,
  },
  sessions: {
    authenticate: { ...ANY_SESSION, withUser: true },
    revoke: ANY_SESSION,
    exchangeAccessToken: OPEN,
    attest: OPEN,
  },
  ownSessions: {
    list: OWN_SESSION,
    listAfter: OWN_SESSION,
    revokeOther: PROVEN_SESSION,
    revokeOthers: PROVEN_SESSION,
  },
  magicLinks: {
    loginOrCreate: OPEN,
    sendPrimary: OPEN,
    sendSecondary: PROVEN_SESSION,
    authenticate: { ...OPEN, adds: ENROLMENT },
  },
  otps: {
    emailLoginOrCreate: OPEN,
    emailSendPrimary: OPEN,
    emailSendSecondary: { ...PROVEN_SESSION, adds: PROVEN_SESSION },
    // A text to the user's own number may be the proof that the session lacks.
    ...byPhone(() => ({
      loginOrCreate: OPEN,
      sendPrimary: OPEN,
      sendSecondary: { ...OWN_SESSION, adds: PROVEN_SESSION } as const,
    })),
    authenticate: { ...OPEN, adds: ENROLMENT },
  },
  oauth: {
    authenticate: { ...OPEN, adds: PROVEN_SESSION },
    attach: PROVEN_SESSION,
    oneTapStart: OPEN,
    oneTapSubmit: OPEN,
  },
  passwords: {
    create: OPEN,
    authenticate: OPEN,
    resetByEmailStart: OPEN,
    resetByEmailCheck: OPEN,
    resetByEmail: OPEN,
    resetByExistingPassword: OPEN,
    resetBySession: PROVEN_SESSION,
    strengthCheck: OPEN,
  },
  totps: {
    create: ENROLMENT,
    // The first code adds the app to the account.
    authenticate: { ...SECOND_FACTOR_PROOF, adds: ENROLMENT },
    recoveryCodes: PROVEN_SESSION,
    recover: { ...SECOND_FACTOR_PROOF, adds: ENROLMENT },
  },
  webauthn: {
    registerStart: ENROLMENT,
    register: ENROLMENT,
    signUpStart: OPEN,
    signUp: OPEN,
    authenticateStartPrimary: OPEN,
    authenticateStartSecondary: SECOND_FACTOR_START,
    authenticate: { ...OPEN, proves: SECOND_FACTOR_START },
    update: PROVEN_SESSION,
  },
  mfa: {
    status: STEP,
    sendCode: STEP,
    addPhone: STEP,
    startRecovery: STEP,
    recovery: OWN_SESSION,
    stopRecovery: PROVEN_SESSION,
    recoveryCodes: OWN_SESSION,
    renewRecoveryCodes: PROVEN_SESSION,
    trustedDevices: OWN_SESSION,
    removeTrustedDevice: PROVEN_SESSION,
  },
  profile: { complete: STEP, get: SESSION, update: OWN_SESSION },
  cryptoWallets: {
    authenticateStartPrimary: OPEN,
    authenticateStartSecondary: PROVEN_SESSION,
    authenticate: { ...OPEN, adds: PROVEN_SESSION },
  },
  impersonation: { authenticate: OPEN },
  idp: {
    authorizeStart: SESSION,
    authorizeSubmit: { ...SILENT, silent: SILENT, asked: OWN_SESSION, lasting: PROVEN_SESSION },
    deviceStart: OWN_SESSION,
    deviceSubmit: { ...OWN_SESSION, lasting: PROVEN_SESSION },
    logoutStart: OPEN,
  },
  b2b: { searchMember: OPEN },
  events: { log: OPEN },
} as const satisfies GatesOf<typeof api>;
