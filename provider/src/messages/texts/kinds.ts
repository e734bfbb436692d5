/** The kinds of messages that this server writes, a subset of the outbox's. */
export const PASSCODE_KINDS = ['login_passcode', 'signup_passcode', 'confirm_passcode'] as const;
export const LINK_KINDS = ['login_link', 'signup_link', 'invite_link', 'confirm_link', 'reset_password'] as const;

export type PasscodeKind = (typeof PASSCODE_KINDS)[number];
export type LinkKind = (typeof LINK_KINDS)[number];
/** A message without a code or link: to an address that lets nobody in, where the project does not let everybody sign up. */
export const REFUSAL_KIND = 'sign_up_refused';

export type MessageKind = PasscodeKind | LinkKind | typeof REFUSAL_KIND;

export const isPasscodeKind = (kind: string): kind is PasscodeKind => PASSCODE_KINDS.some((each) => each === kind);
export const isMessageKind = (kind: string): kind is MessageKind =>
  kind === REFUSAL_KIND || isPasscodeKind(kind) || LINK_KINDS.some((each) => each === kind);
