import type { LinkKind, PasscodeKind } from './kinds.ts';

interface LinkTexts {
  readonly subject: string;
  /** The sentence before the address in plain text; it ends with a colon. */
  readonly lead: string;
  readonly heading: string;
  /** The sentence above the button. */
  readonly intro: string;
  readonly button: string;
}

/**
 * The texts of one language. `{project}`, `{code}`, `{duration}`, `{time}` and `{device}` are replaced. Durations such as `5 minutes` are
 * in the nominative, so a text must not require another case.
 */
export interface MessageTexts {
  readonly passcode: {
    readonly subject: string;
    readonly lead: string;
    /** The sentence above the code. */
    readonly intro: Readonly<Record<PasscodeKind, string>>;
    /** The text of an SMS or WhatsApp message. */
    readonly short: string;
    readonly warning: string;
  };
  readonly links: Readonly<Record<LinkKind, LinkTexts>>;
  /** The message to an address that lets nobody in. */
  readonly refusal: {
    readonly subject: string;
    readonly heading: string;
    readonly intro: string;
    readonly advice: string;
  };
  /** The alternative in a message that resets a password. */
  readonly instead: { readonly lead: string; readonly label: string; readonly validity: string };
  readonly validity: string;
  readonly ignore: string;
  /** In a password reset: says additionally that the password is unchanged. */
  readonly ignoreReset: string;
  /** In an invitation, which the recipient did not request. */
  readonly ignoreInvitation: string;
  readonly requestNote: string;
  /** Like `asked`, for an unknown device. */
  readonly askedAt: string;
  readonly copyLink: string;
}
