/** The subjects of notices. */
export const NOTICE_TOPICS = [
  'password',
  'account',
  'device',
  'recovery_code',
  'app',
  'recovery_started',
  'recovery_available',
  'recovery_ended',
  'deleted',
] as const;

export type NoticeTopic = (typeof NOTICE_TOPICS)[number];

/** The sentences of notices: one for each change. */
export const NOTICE_LINES = [
  'password_changed',
  'password_added',
  'password_removed',
  'email_added',
  'email_removed',
  'phone_added',
  'phone_removed',
  'totp_added',
  'totp_removed',
  'passkey_added',
  'passkey_removed',
  'wallet_added',
  'wallet_removed',
  'social_added',
  'social_removed',
  'device',
  'device_unknown',
  'recovery_code',
  'codes_renewed',
  'app',
  'recovery_started',
  'recovery_available',
  'recovery_canceled',
  'recovery_completed',
  'restored',
  'account_deleted',
] as const;

export type NoticeLine = (typeof NOTICE_LINES)[number];

/**
 * The texts of one language. `{project}`, `{value}` (a masked address or number, a provider, an app, a browser), `{time}` and
 * `{duration}` are replaced.
 */
export interface NoticeTexts {
  readonly subjects: Readonly<Record<NoticeTopic, string>>;
  readonly lines: Readonly<Record<NoticeLine, string>>;
  /** The time of the change. */
  readonly at: string;
  /** The last sentence if the message has a link. */
  readonly fine: string;
  /** The last sentence if it has none. */
  readonly check: string;
  /** The last sentence if the account was deleted. */
  readonly final: string;
  /** The link that undoes the change; `lead` ends with a colon. */
  readonly undo: { readonly lead: string; readonly button: string; readonly validity: string };
  /** The link that stops a pending recovery. */
  readonly stop: { readonly lead: string; readonly button: string; readonly validity: string };
  /** The link that finishes or stops a recovery that has waited long enough. */
  readonly finish: { readonly lead: string; readonly button: string; readonly validity: string };
  /** The pages behind the links. */
  readonly pages: {
    readonly undoTitle: string;
    /** The headings of lists of changes; each ends with a colon. */
    readonly undone: string;
    readonly remains: string;
    readonly sessions: string;
    readonly password: string;
    readonly recovery: string;
    readonly undoButton: string;
    readonly undoDone: string;
    readonly stopTitle: string;
    readonly stopText: string;
    readonly stopButton: string;
    readonly stopDone: string;
    readonly finishTitle: string;
    readonly finishText: string;
    readonly finishButton: string;
    readonly finishDone: string;
    readonly next: string;
    readonly over: string;
  };
}
