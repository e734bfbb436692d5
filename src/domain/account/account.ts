import type { AuthError } from '../errors.ts';
import type { OtpMethod, SentOtp } from '../passcodes/otp.ts';
import { blamesPhone, type EnteredPhone, type PhoneMethod } from '../contacts/phone.ts';
import type { PendingRecovery, RecoveryCodeSummary, TrustedDevice } from '../sessions/mfa.ts';
import type { NewTotp } from '../sessions/new-totp.ts';
import { fieldControl, refusedControl, termsControl, type Profile } from '../sessions/profile.ts';
import type { ListedSession } from '../sessions/session.ts';
import type { User, UserName } from '../users/user.ts';
import { hasWayIn } from '../users/way-in.ts';

/** The sections of the account page, in their order. */
export const ACCOUNT_SECTIONS = [
  'profile',
  'details',
  'emails',
  'phones',
  'password',
  'passkeys',
  'linked',
  'totp',
  'secondFactor',
  'sessions',
  'apps',
  'data',
] as const;
/** A section of the account page. */
export type AccountSection = (typeof ACCOUNT_SECTIONS)[number];

/** The part of a connected app that the page shows. */
export interface ConnectedAppInfo {
  readonly connected_app_id: string;
  readonly name: string;
  readonly logo_url?: string | null;
  readonly scopes_granted: string;
  /** How an app that no operator registered became known; absent for any other app. */
  readonly client_origin?: 'document' | 'registration';
  /** The host of its metadata document. */
  readonly client_host?: string;
  /** When the app last got tokens, as an ISO 8601 string; servers may leave it out. */
  readonly last_used_at?: string;
}

/** A list that the page loads. `absent`: the server has no such list, so its section is hidden. */
export type LoadedList<Item> =
  | { readonly status: 'loading' | 'absent' }
  /** `next`: the cursor of the following items, if there are any. */
  | { readonly status: 'known'; readonly items: readonly Item[]; readonly next?: string | null }
  | { readonly status: 'failed'; readonly error: AuthError };

/** The items that can be removed after a confirmation. */
export type Removable = 'email' | 'phone' | 'totp' | 'app' | 'social' | 'wallet';

/** Everything that a change can remove; some items need no confirmation. `recovery` is a pending recovery. */
export type RemovalTarget = Removable | 'passkey' | 'session' | 'device' | 'recovery';

/** The form or question that is open: at most one on the page. */
export type AccountTask =
  | { readonly kind: 'name' | 'details' | 'addEmail' | 'addPhone' | 'password' | 'endOthers' | 'deleteUser' }
  /** The file with the user's data, as JSON. */
  | { readonly kind: 'exported'; readonly text: string }
  | { readonly kind: 'enterCode'; readonly otp: SentOtp }
  | { readonly kind: 'remove'; readonly what: Removable; readonly id: string }
  | { readonly kind: 'addTotp'; readonly totp: NewTotp }
  /** `fresh`: they belong to an app that was added just now. */
  | { readonly kind: 'recoveryCodes'; readonly codes: readonly string[]; readonly fresh: boolean };

/** A change that the user requests. */
export type AccountChange =
  | { readonly kind: 'name'; readonly name: UserName }
  /** The values by the names of their fields. */
  | { readonly kind: 'details'; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'acceptTerms'; readonly id: string; readonly version: string }
  | {
      readonly kind: 'sendCode';
      readonly method: OtpMethod;
      readonly destination: string;
      readonly phone?: SentOtp['phone'];
    }
  | ({ readonly kind: 'sendText'; readonly method: PhoneMethod; readonly edit: number } & EnteredPhone)
  | { readonly kind: 'enterCode'; readonly code: string; readonly otp: SentOtp }
  | { readonly kind: 'remove'; readonly what: RemovalTarget; readonly id: string }
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'addPasskey' }
  | { readonly kind: 'renamePasskey'; readonly id: string; readonly name: string }
  | { readonly kind: 'createTotp' }
  | { readonly kind: 'confirmTotp'; readonly code: string }
  | { readonly kind: 'showRecoveryCodes' | 'renewRecoveryCodes' }
  | { readonly kind: 'endOthers' }
  | { readonly kind: 'moreSessions'; readonly cursor: string }
  | { readonly kind: 'exportData' | 'deleteUser' }
  | { readonly kind: 'signOut' };

/** A change of one row of a list. */
export type RowChange = Extract<AccountChange, { readonly kind: 'remove' | 'renamePasskey' | 'acceptTerms' }>;

/** A change that a button requests without a form. The button stays usable while another change is made. */
export type ButtonChange = Extract<
  AccountChange,
  {
    readonly kind:
      | RowChange['kind']
      | 'addPasskey'
      | 'createTotp'
      | 'showRecoveryCodes'
      | 'renewRecoveryCodes'
      | 'moreSessions'
      | 'signOut';
  }
>;

/** A change without its secrets: the page's state never holds a typed password or code. */
export type ChangeInProgress =
  | RowChange
  | { readonly kind: 'sendCode' | 'enterCode'; readonly method: OtpMethod }
  | { readonly kind: Exclude<AccountChange['kind'], RowChange['kind'] | 'sendCode' | 'enterCode'> };

/** A completed change of the account: the detail of the host's event, and the text of the notice. */
export type AccountNews =
  | 'nameChanged'
  | 'detailsChanged'
  | 'termsAccepted'
  | 'emailAdded'
  | 'emailRemoved'
  | 'phoneAdded'
  | 'phoneRemoved'
  | 'passwordSet'
  | 'passkeyAdded'
  | 'passkeyRenamed'
  | 'passkeyRemoved'
  | 'socialRemoved'
  | 'walletRemoved'
  | 'totpAdded'
  | 'totpRemoved'
  | 'codesRenewed'
  | 'sessionEnded'
  | 'othersEnded'
  | 'appRevoked'
  | 'deviceRemoved'
  | 'recoveryStopped'
  | 'accountDeleted';

/** The ways to prove the second factor, or to log in again if there is none. */
export type ProofWay = 'totp' | 'recovery' | 'webauthn' | 'text' | 'password' | 'email';

/** The missing proof for a change: the second factor, or a new login. */
interface LackingProof {
  readonly way: ProofWay;
  readonly isLogin?: true;
}

interface Page {
  readonly user: User;
  /** What the project asks its users for, if anything. */
  readonly details: LoadedList<Profile>;
  readonly sessions: LoadedList<ListedSession>;
  readonly apps: LoadedList<ConnectedAppInfo>;
  /** The trusted browsers, in which a login needs one factor. */
  readonly devices: LoadedList<TrustedDevice>;
  /** The pending removal of lost second factors, if any. */
  readonly recoveries: LoadedList<PendingRecovery>;
  /** The recovery codes of the authenticator app, if there is one. */
  readonly recoveryCodes: LoadedList<RecoveryCodeSummary>;
  readonly task: AccountTask | null;
  /** The error of the last request, until the user acts again. */
  readonly error: AuthError | null;
  /** The change that caused the error. */
  readonly failed: ChangeInProgress | null;
  /** The last change that succeeded; `id` distinguishes two of the same kind. */
  readonly news: { readonly id: number; readonly what: AccountNews } | null;
}

interface ChangingPage extends Page {
  readonly doing: ChangeInProgress;
  /** The form that requested the change; another one may be opened meanwhile. */
  readonly from: AccountTask | null;
  /** Further changes; each starts when the previous one is complete. */
  readonly waiting: readonly ButtonChange[];
}

/** The account page. */
export type AccountState =
  | { readonly at: 'arriving' }
  /** `ended`: the page showed an account before. `deleted`: the account was deleted. */
  | { readonly at: 'signedOut'; readonly ended?: true; readonly deleted?: true }
  | { readonly at: 'failed'; readonly error: AuthError }
  | ({ readonly at: 'resting' } & Page)
  | ({ readonly at: 'working' } & ChangingPage)
  /** The change needs a proof: the page requests it, then repeats the change. */
  | ({ readonly at: 'proving' } & LackingProof & ChangingPage)
  | ({ readonly at: 'checking' } & LackingProof & ChangingPage);

export type AccountPage = Extract<AccountState, Page>;

const PLACES = {
  name: 'profile',
  details: 'details',
  acceptTerms: 'details',
  addEmail: 'emails',
  addPhone: 'phones',
  password: 'password',
  addTotp: 'totp',
  recoveryCodes: 'totp',
  addPasskey: 'passkeys',
  renamePasskey: 'passkeys',
  createTotp: 'totp',
  confirmTotp: 'totp',
  showRecoveryCodes: 'totp',
  renewRecoveryCodes: 'totp',
  sendText: 'phones',
  endOthers: 'sessions',
  moreSessions: 'sessions',
  exported: 'data',
  exportData: 'data',
  deleteUser: 'data',
} as const satisfies Readonly<Record<string, AccountSection>>;

/** The section of each kind of item that can be removed. */
export const OF_REMOVABLE = {
  email: 'emails',
  phone: 'phones',
  totp: 'totp',
  app: 'apps',
  passkey: 'passkeys',
  social: 'linked',
  wallet: 'linked',
  session: 'sessions',
  device: 'secondFactor',
  recovery: 'secondFactor',
} as const satisfies Readonly<Record<string, AccountSection>>;

/** The section of an open form or of a change; null for the sign-out, whose button is outside the sections. */
export function sectionOf(what: AccountTask | ChangeInProgress): AccountSection | null {
  if (what.kind === 'remove') return OF_REMOVABLE[what.what];
  if (what.kind === 'signOut') return null;
  if (what.kind !== 'enterCode' && what.kind !== 'sendCode') return PLACES[what.kind];
  return ('otp' in what ? what.otp.type : what.method) === 'email' ? 'emails' : 'phones';
}

/** The forms that show the error of their change at their field. */
const FORM_OF: { readonly [Change in AccountChange['kind']]?: AccountTask['kind'] } = {
  enterCode: 'enterCode',
  password: 'password',
  confirmTotp: 'addTotp',
  sendText: 'addPhone',
};

/** True for a value of the details that the server refused, and whose control the page shows. */
function isAtDetail({ details, task, error, failed }: AccountPage): boolean {
  const control = refusedControl(error);
  const [profile] = details.status === 'known' ? details.items : [];
  if (control === null || profile === undefined) return false;
  if (failed?.kind === 'acceptTerms') return profile.terms.some((terms) => termsControl(terms) === control);
  return task?.kind === 'details' && profile.fields.some((field) => fieldControl(field) === control);
}

/** The error that a form or row of its section shows; other errors show under the section of their change. */
export function formError(page: AccountPage): AuthError | null {
  const { task, error, failed } = page;
  if (isAtDetail(page)) return error;
  if (task === null || failed === null || FORM_OF[failed.kind] !== task.kind) return null;
  return failed.kind === 'sendText' && !blamesPhone(error, 'phone/requested') ? null : error;
}

/** The section with an open form or a pending change. */
export function activeSection(page: AccountPage): AccountSection | null {
  const doing = 'doing' in page ? page.doing : page.failed;
  const { task } = page;
  return (doing && sectionOf(doing)) ?? (task && sectionOf(task));
}

/** The section of the change in progress; null if there is none. */
export function busySection(page: AccountPage): AccountSection | null {
  if (page.at !== 'working') return null;
  return sectionOf(page.doing);
}

/** The lists of a user with removable entries, and the id field of each. */
const LISTS = {
  email: ['emails', 'email_id'],
  phone: ['phone_numbers', 'phone_id'],
  totp: ['totps', 'totp_id'],
  passkey: ['webauthn_registrations', 'webauthn_registration_id'],
  social: ['providers', 'oauth_user_registration_id'],
  wallet: ['crypto_wallets', 'crypto_wallet_id'],
} as const;

const without = (user: User, what: keyof typeof LISTS, id: string): User => {
  const [list, key] = LISTS[what];
  const items: readonly object[] = user[list] ?? [];
  return { ...user, [list]: items.filter((item) => (item as Readonly<Record<string, unknown>>)[key] !== id) };
};

/** True if the user could not sign in without this item: the server rejects its removal. */
export function isLastWayIn(user: User, what: Removable | 'passkey', id: string): boolean {
  return what !== 'totp' && what !== 'app' && !hasWayIn(without(user, what, id));
}
