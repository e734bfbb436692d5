import type { Limit } from '#provider/base/security/rate-windows.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';

export interface Limits {
  /** Messages to one address that one network requested. */
  readonly sendsPerAddress: Limit;
  /** Messages to one address or number: per network from which its user logs in, and for all others together. */
  readonly dailySendsPerAddress: Limit;
  /** Messages that one network address requested. With `--dev` this machine is not limited. */
  readonly sendsPerNetwork: Limit;
  /** Passwords for one address from one network, or from one session of its user, since the last right one. */
  readonly failuresPerUser: Limit;
  /** Passwords that are compared or set for strangers, per network, because each costs a hash. */
  readonly passwordsPerNetwork: Limit;
  /** Passwords for one address, from all networks together from which its user does not log in. */
  readonly strangerFailuresPerUser: Limit;
  /** Wrong passcodes and links from one network address. */
  readonly failuresPerNetwork: Limit;
  /** Requests that reveal whether a user exists, from one network address. */
  readonly searchesPerNetwork: Limit;
  /** Metadata documents of agents that this server reads for one network. */
  readonly documentsPerNetwork: Limit;
  /** Metadata documents that this server reads from one host, for all callers together. */
  readonly documentsPerHost: Limit;
  /** Agents that register from one network. */
  readonly registrationsPerNetwork: Limit;
  /** Texts to one number, by SMS and WhatsApp together, divided like `dailySendsPerAddress`, because they cost money. */
  readonly textsPerNumber: Limit;
  /** Text messages to a thousand neighbouring numbers, because fraudsters who profit from text messages own such ranges. */
  readonly textsPerRange: Limit;
  /** Texts that one network address requested. */
  readonly textsPerNetwork: Limit;
  /** Text messages to one country: to strangers, and to owners who log in from known networks. `sms_budgets` sets single countries. */
  readonly textsPerCountry: Limit;
  /** Texts to all countries, divided like `textsPerCountry`. */
  readonly textsPerProject: Limit;
  /** Codes of an authenticator app or recovery codes in one session, since the last right one. */
  readonly triesPerTotp: Limit;
  /** Codes of an authenticator app for one user: per network from which it was used, and for all others together. */
  readonly dailyTriesPerTotp: Limit;
  /** Wrong passcodes of one channel for one user: per network from which they log in, and for all others together. */
  readonly dailyTriesPerPasscode: Limit;
  /** Messages for one wallet to sign, requested by one network. */
  readonly challengesPerWallet: Limit;
  /** New passwords of one user, set in a session or with the old one. Each is judged and, if it is strong enough, hashed. */
  readonly newPasswordsPerUser: Limit;
  /** Ceremonies that one user begins in their sessions: for passkeys, wallets, and social accounts to attach. */
  readonly challengesPerUser: Limit;
  /** Messages with which one user adds addresses and numbers in their sessions. */
  readonly additionsPerUser: Limit;
  /** Codes for connected apps that one user grants. */
  readonly codesPerUser: Limit;
  /** Codes of devices that one user enters, right or wrong. */
  readonly deviceCodesPerUser: Limit;
  /** Recoveries that begin for one user, because each sends a message to every address and number of the account. */
  readonly recoveriesPerUser: Limit;
  /** Refreshes of the tokens of one authorization. */
  readonly refreshesPerFamily: Limit;
  /** New authenticator apps of one user, because each needs a QR code. */
  readonly newTotpsPerUser: Limit;
  /** Calls of the backend API with one project secret, from one network. With `--dev` this machine is not limited. */
  readonly backendCallsPerCaller: Limit;
}

const DAY_MS = 24 * 60 * MINUTE_MS;

/** High enough for development, but low enough that a passcode cannot be guessed. */
export const DEFAULT_LIMITS: Limits = {
  sendsPerAddress: { max: 10, windowMs: 10 * MINUTE_MS },
  sendsPerNetwork: { max: 300, windowMs: 10 * MINUTE_MS },
  dailySendsPerAddress: { max: 60, windowMs: DAY_MS },
  failuresPerUser: { max: 10, windowMs: 60 * MINUTE_MS },
  passwordsPerNetwork: { max: 120, windowMs: MINUTE_MS },
  strangerFailuresPerUser: { max: 100, windowMs: DAY_MS },
  failuresPerNetwork: { max: 300, windowMs: 10 * MINUTE_MS },
  searchesPerNetwork: { max: 120, windowMs: MINUTE_MS },
  documentsPerNetwork: { max: 60, windowMs: 10 * MINUTE_MS },
  documentsPerHost: { max: 600, windowMs: 10 * MINUTE_MS },
  registrationsPerNetwork: { max: 30, windowMs: 60 * MINUTE_MS },
  textsPerNumber: { max: 10, windowMs: 60 * MINUTE_MS },
  textsPerRange: { max: 100, windowMs: 60 * MINUTE_MS },
  textsPerNetwork: { max: 60, windowMs: 60 * MINUTE_MS },
  textsPerCountry: { max: 500, windowMs: 60 * MINUTE_MS },
  textsPerProject: { max: 2_000, windowMs: 60 * MINUTE_MS },
  triesPerTotp: { max: 5, windowMs: 30 * MINUTE_MS },
  dailyTriesPerTotp: { max: 100, windowMs: DAY_MS },
  dailyTriesPerPasscode: { max: 100, windowMs: DAY_MS },
  challengesPerWallet: { max: 20, windowMs: 5 * MINUTE_MS },
  newPasswordsPerUser: { max: 30, windowMs: 10 * MINUTE_MS },
  challengesPerUser: { max: 60, windowMs: 10 * MINUTE_MS },
  additionsPerUser: { max: 30, windowMs: 60 * MINUTE_MS },
  codesPerUser: { max: 120, windowMs: 10 * MINUTE_MS },
  deviceCodesPerUser: { max: 30, windowMs: 10 * MINUTE_MS },
  recoveriesPerUser: { max: 3, windowMs: 7 * DAY_MS },
  refreshesPerFamily: { max: 120, windowMs: 60 * MINUTE_MS },
  newTotpsPerUser: { max: 30, windowMs: 10 * MINUTE_MS },
  backendCallsPerCaller: { max: 6_000, windowMs: MINUTE_MS },
};
