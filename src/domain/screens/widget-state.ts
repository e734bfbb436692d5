import type { AccountState } from '../account/account.ts';
import { DEFAULT_BOOTSTRAP, type Bootstrap } from '../project/bootstrap.ts';
import type { Consent } from '../consent/consent.ts';
import type { AuthError } from '../errors.ts';
import type { DeclinedLogin } from '../social/oauth-providers.ts';
import type { OneTapState } from '../social/one-tap.ts';
import type { PasswordCheck } from '../passwords/password-strength.ts';
import type { WebauthnRegistration } from '../users/user.ts';
import type { WalletKind } from '../wallets/wallets.ts';
import type { PendingSubmit } from './submits.ts';
import type { PasskeyNote } from './passkey-event.ts';
import type { Intent } from './event.ts';
import { INITIAL_SCREEN, type Screen } from './screen.ts';

/** The text of a success toast. */
export type ToastText = 'emailResent';

/** A short message that disappears by itself. A `loading` toast stays until the request succeeds or fails. */
export interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'error' | 'loading';
  readonly error: AuthError | null;
  readonly text: ToastText | null;
}

/** Everything a widget shows. */
export interface WidgetState {
  readonly screen: Screen;
  /** The latest error, until the person acts again. */
  readonly error: AuthError | null;
  /** The intent that caused the last error: its form shows the error. */
  readonly failed: Intent['type'] | null;
  /** The intent that is in progress. */
  readonly pending: PendingSubmit | null;
  /** For `oauth/chosen`, the index of the chosen provider; else null. */
  readonly pendingIndex: number | null;
  /** The generic loading overlay. */
  readonly loading: boolean;
  readonly bootstrap: Bootstrap;
  readonly toasts: readonly Toast[];
  readonly lastToastId: number;
  /** The telephone number of the given edit; `formatted` is its national format. */
  readonly phone: {
    readonly edit: number;
    readonly formatted: { readonly text: string; readonly country: string | null } | null;
    readonly invalid: boolean;
  } | null;
  /** The check of the password that was typed last. */
  readonly strength: PasswordCheck | null;
  /** The wallets found in this browser; null until they have been searched for. */
  readonly wallets: readonly WalletKind[] | null;
  readonly oneTap: OneTapState;
  /** The last social login that returned without a token, until the next intent; else null. */
  readonly declined: DeclinedLogin | null;
  /** Whether the browser offers passkeys in the form's field; null until known. */
  readonly passkeyAutofill: boolean | null;
  /** A passkey from the form's field is being verified. */
  readonly passkeyUsed: boolean;
  /** Why the passkey link led to no login, until the next intent; else null. */
  readonly passkeyNote: PasskeyNote | null;
  /** The method of the last login in this browser (not in the reference client): a value of `lastMethodOf`. */
  readonly lastMethod: string | null;
  /** The passkeys of the signed-in user; null without a session, undefined until known. */
  readonly passkeys: readonly WebauthnRegistration[] | null | undefined;
  readonly consent: Consent;
  readonly account: AccountState;
}

/** The data of a screen. The project's settings arrive after the first paint and concern few components, which read them separately. */
export type ScreenState = Omit<WidgetState, 'bootstrap'>;

export const INITIAL_STATE: WidgetState = Object.freeze<WidgetState>({
  screen: INITIAL_SCREEN,
  error: null,
  failed: null,
  pending: null,
  pendingIndex: null,
  loading: false,
  bootstrap: DEFAULT_BOOTSTRAP,
  toasts: [],
  lastToastId: 0,
  phone: null,
  strength: null,
  wallets: null,
  oneTap: { status: 'idle' },
  declined: null,
  passkeyAutofill: null,
  passkeyUsed: false,
  passkeyNote: null,
  lastMethod: null,
  passkeys: undefined,
  consent: { status: 'loading' },
  account: { at: 'arriving' },
});
