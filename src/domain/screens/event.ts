import type { Bootstrap } from '../bootstrap.ts';
import type { AuthError } from '../errors.ts';
import type { SentOtp } from '../otp.ts';

/** What the person asked for. */
export type Intent =
  | { readonly type: 'magicLink/requested'; readonly email: string }
  | { readonly type: 'magicLink/tryAgain' }
  | { readonly type: 'otp/requested'; readonly method: SentOtp['type']; readonly destination: string }
  | { readonly type: 'otp/codeEntered'; readonly code: string }
  | { readonly type: 'otp/codeEdited' }
  | { readonly type: 'otp/resendRequested' }
  | { readonly type: 'back' }
  | { readonly type: 'toast/dismissed'; readonly id: number };

/** What came of it. `reply` is the server's answer, handed on to the host unchanged. */
export type Outcome =
  | { readonly type: 'bootstrap/loaded'; readonly bootstrap: Bootstrap }
  | { readonly type: 'magicLink/sent'; readonly email: string; readonly reply: object }
  | { readonly type: 'otp/sent'; readonly otp: SentOtp; readonly reply: object }
  | { readonly type: 'otp/resent'; readonly otp: SentOtp; readonly reply: object }
  | { readonly type: 'otp/verified'; readonly reply: object }
  /** Somebody became signed in here, by whatever way. */
  | { readonly type: 'session/appeared' }
  /** Whether the first check of a session that was found here is still under way. */
  | { readonly type: 'session/checking'; readonly checking: boolean }
  | { readonly type: 'failed'; readonly asked: Intent; readonly error: AuthError };

export type WidgetEvent = Intent | Outcome;
export type EventOf<Type extends WidgetEvent['type']> = Extract<WidgetEvent, { readonly type: Type }>;
