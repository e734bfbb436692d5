import type { api } from '#application/api/index.ts';
import type { backendApi } from '#provider/base/backend-api/backend-api.ts';
import type { ErrorFormat } from './errors.ts';

type Area = keyof typeof api | keyof typeof backendApi;

/** What each area of the APIs is about. An area without a row is a compile error. */
const AREAS: Readonly<Record<Area, string>> = {
  projects: 'The public settings of a project.',
  users: 'The users and their ways to log in.',
  sessions: 'The sessions of users.',
  ownSessions: 'The sessions of the signed-in user.',
  magicLinks: 'Logins with a link in an email.',
  otps: 'Logins with a passcode in an email or on a phone.',
  oauth: 'Logins with an account at a social provider.',
  passwords: 'Logins with a password.',
  totps: 'Authenticator apps.',
  webauthn: 'Passkeys and security keys.',
  mfa: 'The second factor of a login.',
  profile: 'The fields and terms that a project asks of its users.',
  cryptoWallets: 'Logins with a crypto wallet.',
  impersonation: 'Logins of operators as a user.',
  idp: 'The access of connected apps, which sign their users in through this project.',
  b2b: 'Organizations.',
  events: 'Events of the widget.',
  connectedApps: 'The apps that sign their users in through this project.',
  m2m: 'Programs that call APIs in their own name.',
  rbac: 'The roles of the project.',
};

/** The tags of OAuth and of the keys. */
export const OAUTH_TAG = 'oauth (for apps)';
export const OAUTH_TAGS: readonly object[] = [
  { name: OAUTH_TAG, description: 'The authorization server of connected apps (OAuth 2.1, OpenID Connect).' },
];

const APIS: Readonly<Record<ErrorFormat, string>> = { client: 'client API', backend: 'backend API' };

export const tagName = (format: ErrorFormat, area: string): string => `${area} (${APIS[format]})`;

/** The tags of the tables' areas. */
export const tagsOf = (format: ErrorFormat, areas: readonly string[]): readonly object[] =>
  areas.map((area) => ({ name: tagName(format, area), description: AREAS[area as Area] }));
