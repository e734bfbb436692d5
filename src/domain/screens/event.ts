import type { Bootstrap } from '../project/bootstrap.ts';
import type { Consent } from '../consent/consent.ts';
import type { AuthError } from '../errors.ts';
import type { DeclinedLogin } from '../social/oauth-providers.ts';
import type { OneTapState } from '../social/one-tap.ts';
import type { OtpMethod, SentOtp } from '../passcodes/otp.ts';
import type { PasswordStrength } from '../passwords/password-strength.ts';
import type { EnteredPhone, PhoneMethod } from '../contacts/phone.ts';
import type { WalletKind } from '../wallets/wallets.ts';
import type { AccountIntent, AccountOutcome } from './account-event.ts';
import type { FactorIntent, FactorOutcome } from './factor-event.ts';
import type { PasskeyIntent, PasskeyNote, PasskeyOutcome } from './passkey-event.ts';
import type { PasswordlessMessage, UserType } from './screen.ts';

type LinkAndCodeIntent =
  | { readonly type: 'magicLink/requested'; readonly email: string }
  | { readonly type: 'magicLink/tryAgain' }
  | { readonly type: 'otp/requested'; readonly method: OtpMethod; readonly destination: string }
  /** `country` is an ISO 3166-1 code, `national` the typed text, `edit` the number of its changes. */
  | (EnteredPhone & { readonly type: 'phone/requested'; readonly method: PhoneMethod; readonly edit: number })
  /** Requests the formatted number; `edit` increases with every change. */
  | (EnteredPhone & { readonly type: 'phone/edited'; readonly edit: number })
  | { readonly type: 'otp/codeEntered'; readonly code: string }
  | { readonly type: 'otp/codeEdited' }
  | { readonly type: 'otp/resendRequested' };

type LinkAndCodeOutcome =
  | { readonly type: 'magicLink/sent'; readonly email: string; readonly reply: object }
  | { readonly type: 'otp/sent'; readonly otp: SentOtp; readonly reply: object }
  | { readonly type: 'otp/resent'; readonly otp: SentOtp; readonly reply: object }
  | { readonly type: 'otp/verified'; readonly reply: object }
  /** `country` is the number's own country when it begins with a plus, else null. */
  | {
      readonly type: 'phone/formatted';
      readonly edit: number;
      readonly text: string;
      readonly country: string | null;
    }
  /** The entered text is not a phone number. Nothing was sent. */
  | { readonly type: 'phone/invalid'; readonly edit: number };

type PasswordIntent =
  /** An address was entered and passwords are enabled: the server returns the user's `UserType`. */
  | { readonly type: 'password/emailEntered'; readonly email: string }
  /** Requests the strength of a password; `check` increases with every change. The state never holds the password. */
  | { readonly type: 'password/edited'; readonly check: number; readonly email: string; readonly password: string }
  | { readonly type: 'password/createRequested'; readonly email: string; readonly password: string }
  | { readonly type: 'password/loginRequested'; readonly email: string; readonly password: string }
  /** 'Forgot Password?' */
  | { readonly type: 'password/forgotten'; readonly email: string }
  /** Sends a link or a code to a user without a password. The first one is sent automatically after the search for the user. */
  | { readonly type: 'password/passwordlessRequested'; readonly email: string }
  /** 'Create a password instead' */
  | { readonly type: 'password/insteadRequested'; readonly email: string }
  /** Sends this screen's reset mail again. */
  | { readonly type: 'password/resendRequested'; readonly email: string }
  /** The new password of the reset form. */
  | { readonly type: 'password/resetSubmitted'; readonly password: string }
  /** Logs in with the token of the reset page: immediately if it is a magic link's, else at 'Login without a password'. */
  | { readonly type: 'resetLink/opened' };

/** The screen after a reset mail was sent; each shows another reason for the email. */
export type ResetMailScreen = 'PasswordForgot' | 'PasswordDedupe' | 'PasswordBreached' | 'PasswordSetNew';

type PasswordOutcome =
  | { readonly type: 'password/userFound'; readonly email: string; readonly userType: UserType }
  /** A link or a code was sent to a user without a password. */
  | {
      readonly type: 'password/passwordlessSent';
      readonly email: string;
      readonly message: PasswordlessMessage;
      readonly reply: object;
    }
  /** The score that this browser computed with zxcvbn, shown until the server answers. */
  | { readonly type: 'password/estimated'; readonly check: number; readonly score: number }
  | { readonly type: 'password/checked'; readonly check: number; readonly strength: PasswordStrength }
  | { readonly type: 'password/created'; readonly reply: object }
  | { readonly type: 'password/loggedIn'; readonly reply: object }
  | {
      readonly type: 'password/resetMailed';
      readonly email: string;
      readonly to: ResetMailScreen;
      readonly reason: 'breached' | 'required';
      readonly reply: object;
    }
  | { readonly type: 'password/resent'; readonly reply: object }
  | { readonly type: 'password/reset'; readonly reply: object }
  /** The address of the user whose password the reset page sets. */
  | { readonly type: 'password/resetKnown'; readonly email: string }
  /** The token of the reset page is no longer valid. */
  | { readonly type: 'password/resetSpent' }
  /** The token of the reset page logged the person in. */
  | { readonly type: 'resetLink/verified'; readonly reply: object };

/** The intents of the consent widget (specification, section 4). */
type ConsentIntent =
  | { readonly type: 'consent/allowed' }
  | { readonly type: 'consent/denied' }
  /** Signs out, so that another user can sign in. */
  | { readonly type: 'consent/switched' }
  /** Restarts the flow after a failure. */
  | { readonly type: 'consent/retried' }
  /** The code that a device shows, as the person entered it. */
  | { readonly type: 'device/codeEntered'; readonly code: string }
  | { readonly type: 'logout/confirmed' }
  | { readonly type: 'logout/refused' };

type ConsentOutcome =
  /** The new state of the flow. */
  | { readonly type: 'consent/changed'; readonly consent: Consent }
  | {
      readonly type: 'consent/started';
      readonly client_id: string;
      readonly redirect_uri: string;
      readonly scope: string;
    }
  /** The answer was submitted, and the browser is about to leave for the app. */
  | { readonly type: 'consent/decided'; readonly granted: boolean }
  | { readonly type: 'consent/completed' }
  | { readonly type: 'consent/refused' };

type OtherLoginIntent =
  /** `index` is the provider's place in the configuration. */
  | { readonly type: 'oauth/chosen'; readonly index: number }
  /** The place for the prompt is rendered; `parentId` is its element's id when the prompt is embedded, else null. */
  | { readonly type: 'oneTap/requested'; readonly index: number; readonly parentId: string | null }
  /** The place for the prompt was removed. */
  | { readonly type: 'oneTap/removed' }
  | { readonly type: 'wallet/chosen'; readonly wallet: WalletKind }
  | { readonly type: 'wallet/othersOpened' }
  | { readonly type: 'wallet/setupOpened' }
  | { readonly type: 'passkey/chosen' }
  /** The form's field is rendered, so the browser can offer passkeys in it. */
  | { readonly type: 'passkey/autofillReady' };

type OtherLoginOutcome =
  /** The person came back to a page that was left, for example with the back button. */
  | { readonly type: 'page/returned' }
  /** The provider sent the browser back without a token: the person denied the login, or it failed there. */
  | ({ readonly type: 'oauth/declined' } & DeclinedLogin)
  | { readonly type: 'oneTap/changed'; readonly oneTap: OneTapState }
  /** With `error`, the code that finds wallets did not load, and `wallets` is empty. */
  | { readonly type: 'wallets/detected'; readonly wallets: readonly WalletKind[]; readonly error?: AuthError }
  | {
      readonly type: 'wallet/connected';
      readonly wallet: WalletKind;
      readonly address: string;
      readonly challenge: string;
      readonly reply: object;
    }
  /** The wallet signed the challenge, which the server now verifies. The state never holds the signature. */
  | { readonly type: 'wallet/signed'; readonly signature: string }
  | { readonly type: 'wallet/verified'; readonly reply: object }
  | { readonly type: 'passkey/autofillKnown'; readonly supported: boolean }
  /** The person chose a passkey in the form's field, and it is being verified. */
  | { readonly type: 'passkey/used' }
  | { readonly type: 'passkey/verified'; readonly reply: object }
  /** The person cancelled the ceremony, or another ceremony replaced it. This is not an error. */
  | { readonly type: 'passkey/cancelled'; readonly note: PasskeyNote | null };

/** A request by the person. */
export type Intent =
  | LinkAndCodeIntent
  | PasswordIntent
  | OtherLoginIntent
  | PasskeyIntent
  | ConsentIntent
  | AccountIntent
  | FactorIntent
  /** The person edited the input of a request that failed for lack of a network, which removes its error. */
  | { readonly type: 'form/edited' }
  /** The person chose another tab, which removes the error of the previous tab. */
  | { readonly type: 'tab/chosen' }
  | { readonly type: 'back' }
  | { readonly type: 'toast/dismissed'; readonly id: number };

/** The result of an intent, or a change from outside. `reply` is the server's reply, passed to the host unchanged. */
export type Outcome =
  | LinkAndCodeOutcome
  | PasswordOutcome
  | OtherLoginOutcome
  | PasskeyOutcome
  | ConsentOutcome
  | AccountOutcome
  | FactorOutcome
  | { readonly type: 'bootstrap/loaded'; readonly bootstrap: Bootstrap }
  /** The server's settings of the project differ from the ones in use. */
  | { readonly type: 'bootstrap/changed'; readonly bootstrap: Bootstrap }
  /** A session began in this browser, by any method. */
  | { readonly type: 'session/appeared' }
  /** The session in this browser ended. */
  | { readonly type: 'session/gone' }
  /** Whether the first check of a stored session is still in progress. */
  | { readonly type: 'session/checking'; readonly checking: boolean }
  /** A failure without an intent. It is reported to the host; other outcomes are shown to the user. */
  | { readonly type: 'reported'; readonly error: AuthError }
  | { readonly type: 'failed'; readonly asked: Intent; readonly error: AuthError };

export type WidgetEvent = Intent | Outcome;
export type EventOf<Type extends WidgetEvent['type']> = Extract<WidgetEvent, { readonly type: Type }>;
