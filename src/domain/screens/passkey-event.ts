import type { WebauthnRegistration } from '../user.ts';

/** What the person asks of the passkey registration widget (specification, section 4). */
export type PasskeyIntent =
  | { readonly type: 'passkey/createRequested' }
  | { readonly type: 'passkey/skipped' }
  | { readonly type: 'passkey/anotherRequested' }
  | { readonly type: 'passkey/done' }
  | { readonly type: 'passkey/renamed'; readonly id: string; readonly name: string }
  | { readonly type: 'passkey/deleted'; readonly id: string };

/** What comes of it. */
export type PasskeyOutcome =
  | { readonly type: 'passkey/registered'; readonly reply: object }
  /** Whose passkeys they are: null when nobody is signed in. */
  | { readonly type: 'passkeys/known'; readonly passkeys: readonly WebauthnRegistration[] | null }
  /** A rename or a deletion is settled: what was shown before the server agreed is no longer needed. */
  | { readonly type: 'passkey/changeSettled'; readonly id: string };
