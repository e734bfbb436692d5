import type { Bootstrap } from '../bootstrap.ts';
import type { Consent } from '../consent.ts';
import type { AuthError } from '../errors.ts';
import type { DeclinedLogin } from '../oauth-providers.ts';
import type { OneTapState } from '../one-tap.ts';
import type { OtpMethod, SentOtp } from '../otp.ts';
import type { PasswordStrength } from '../password-strength.ts';
import type { EnteredPhone, PhoneMethod } from '../phone.ts';
import type { WalletKind } from '../wallets.ts';
import type { PasskeyIntent, PasskeyOutcome } from './passkey-event.ts';
import type { PasswordlessMessage, UserType } from './screen.ts';

type LinkAndCodeIntent =
  | { readonly type: 'magicLink/requested'; readonly email: string }
  | { readonly type: 'magicLink/tryAgain' }
  | { readonly type: 'otp/requested'; readonly method: OtpMethod; readonly destination: string }
  /** `country` is an ISO 3166-1 code, `national` what was typed, `edit` the count of its changes. */
  | (EnteredPhone & { readonly type: 'phone/requested'; readonly method: PhoneMethod; readonly edit: number })
  /** Asks how the number is written; `edit` counts up with every change. */
  | (EnteredPhone & { readonly type: 'phone/edited'; readonly edit: number })
  | { readonly type: 'otp/codeEntered'; readonly code: string }
  | { readonly type: 'otp/codeEdited' }
  | { readonly type: 'otp/resendRequested' };

type LinkAndCodeOutcome =
  | { readonly type: 'magicLink/sent'; readonly email: string; readonly reply: object }
  | { readonly type: 'otp/sent'; readonly otp: SentOtp; readonly reply: object }
  | { readonly type: 'otp/resent'; readonly otp: SentOtp; readonly reply: object }
  | { readonly type: 'otp/verified'; readonly reply: object }
  /** `country` is the number's own when it is written with a plus, else null. */
  | {
      readonly type: 'phone/formatted';
      readonly edit: number;
      readonly text: string;
      readonly country: string | null;
    }
  /** What was entered is no telephone number, and nothing went out. */
  | { readonly type: 'phone/invalid'; readonly edit: number };

type PasswordIntent =
  /** An address was entered where passwords are on: the server says what its user has. */
  | { readonly type: 'password/emailEntered'; readonly email: string }
  /** Asks how good a password is; `check` counts up with every change. No state keeps the password. */
  | { readonly type: 'password/edited'; readonly check: number; readonly email: string; readonly password: string }
  | { readonly type: 'password/createRequested'; readonly email: string; readonly password: string }
  | { readonly type: 'password/loginRequested'; readonly email: string; readonly password: string }
  /** 'Forgot Password?' */
  | { readonly type: 'password/forgotten'; readonly email: string }
  /** Sends a link or a code to a user without a password. The search asks for it by itself the first time. */
  | { readonly type: 'password/passwordlessRequested'; readonly email: string }
  /** 'Create a password instead' */
  | { readonly type: 'password/insteadRequested'; readonly email: string }
  /** Sends the reset mail of the present screen once more. */
  | { readonly type: 'password/resendRequested'; readonly email: string }
  /** The new password of the reset form. */
  | { readonly type: 'password/resetSubmitted'; readonly password: string }
  /** The reset page's token is a magic link's: it goes out at once. */
  | { readonly type: 'resetLink/opened' };

/** The screen that a reset mail leads to: each tells why it was sent. */
export type ResetMailScreen = 'PasswordForgot' | 'PasswordDedupe' | 'PasswordBreached' | 'PasswordSetNew';

type PasswordOutcome =
  | { readonly type: 'password/userFound'; readonly email: string; readonly userType: UserType }
  /** What went out to a user without a password. */
  | {
      readonly type: 'password/passwordlessSent';
      readonly email: string;
      readonly message: PasswordlessMessage;
      readonly reply: object;
    }
  /** zxcvbn's score from this browser, until the server's answer is there. */
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
  /** Whose password the reset page sets. */
  | { readonly type: 'password/resetKnown'; readonly email: string }
  /** The reset page's token is good for nothing any more. */
  | { readonly type: 'password/resetSpent' }
  /** The reset page's token was a magic link's, and it is used. */
  | { readonly type: 'resetLink/verified'; readonly reply: object };

/** What the person asks of the consent widget (specification, section 4). */
type ConsentIntent =
  | { readonly type: 'consent/allowed' }
  | { readonly type: 'consent/denied' }
  /** Signs out here, so that somebody else can sign in. */
  | { readonly type: 'consent/switched' }
  /** Begins the flow anew after a failure. */
  | { readonly type: 'consent/retried' }
  | { readonly type: 'logout/confirmed' }
  | { readonly type: 'logout/refused' };

type ConsentOutcome =
  /** The flow as it stands now. */
  | { readonly type: 'consent/changed'; readonly consent: Consent }
  | {
      readonly type: 'consent/started';
      readonly client_id: string;
      readonly redirect_uri: string;
      readonly scope: string;
    }
  | { readonly type: 'consent/completed' }
  | { readonly type: 'consent/refused' };

type OtherLoginIntent =
  /** `index` is the provider's place in the configuration. */
  | { readonly type: 'oauth/chosen'; readonly index: number }
  /** The place for the prompt is there; `parentId` is the element's id when it is to stand in the widget. */
  | { readonly type: 'oneTap/requested'; readonly index: number; readonly parentId: string | null }
  /** The place for the prompt is gone. */
  | { readonly type: 'oneTap/removed' }
  | { readonly type: 'wallet/chosen'; readonly wallet: WalletKind }
  | { readonly type: 'wallet/othersOpened' }
  | { readonly type: 'wallet/setupOpened' }
  | { readonly type: 'passkey/chosen' }
  /** The form's field is there: passkeys may be offered in it. */
  | { readonly type: 'passkey/autofillReady' };

type OtherLoginOutcome =
  /** The page came back from where it had been left for, such as by the back button. */
  | { readonly type: 'page/returned' }
  /** The person denied the login at the provider, which led back here. */
  | ({ readonly type: 'oauth/declined' } & DeclinedLogin)
  | { readonly type: 'oneTap/changed'; readonly oneTap: OneTapState }
  | { readonly type: 'wallets/detected'; readonly wallets: readonly WalletKind[] }
  | {
      readonly type: 'wallet/connected';
      readonly wallet: WalletKind;
      readonly address: string;
      readonly challenge: string;
      readonly reply: object;
    }
  /** The wallet signed the challenge, and the server is asked what it thinks of it. No state keeps the signature. */
  | { readonly type: 'wallet/signed'; readonly signature: string }
  | { readonly type: 'wallet/verified'; readonly reply: object }
  | { readonly type: 'passkey/autofillKnown'; readonly supported: boolean }
  /** The person chose a passkey in the form's field: it is being verified. */
  | { readonly type: 'passkey/used' }
  | { readonly type: 'passkey/verified'; readonly reply: object }
  /** The person ended the ceremony, or another one took its place: nothing went wrong. */
  | { readonly type: 'passkey/cancelled' };

/** What the person asked for. */
export type Intent =
  | LinkAndCodeIntent
  | PasswordIntent
  | OtherLoginIntent
  | PasskeyIntent
  | ConsentIntent
  /** The person chose another tab: what stood in the last one's banner is gone. */
  | { readonly type: 'tab/chosen' }
  | { readonly type: 'back' }
  | { readonly type: 'toast/dismissed'; readonly id: number };

/** What came of it. `reply` is the server's answer, handed on to the host unchanged. */
export type Outcome =
  | LinkAndCodeOutcome
  | PasswordOutcome
  | OtherLoginOutcome
  | PasskeyOutcome
  | ConsentOutcome
  | { readonly type: 'bootstrap/loaded'; readonly bootstrap: Bootstrap }
  /** The server says something else of the project than before. */
  | { readonly type: 'bootstrap/changed'; readonly bootstrap: Bootstrap }
  /** Somebody became signed in here, by whatever way. */
  | { readonly type: 'session/appeared' }
  /** Nobody is signed in here any more. */
  | { readonly type: 'session/gone' }
  /** Whether the first check of a session that was found here is still under way. */
  | { readonly type: 'session/checking'; readonly checking: boolean }
  /** Something failed that nobody asked for here: the host hears of it, and the outcomes around it tell the person. */
  | { readonly type: 'reported'; readonly error: AuthError }
  | { readonly type: 'failed'; readonly asked: Intent; readonly error: AuthError };

export type WidgetEvent = Intent | Outcome;
export type EventOf<Type extends WidgetEvent['type']> = Extract<WidgetEvent, { readonly type: Type }>;
