import type { WebauthnRegistration } from '../users/user.ts';
import type { ScreenOf } from './screen.ts';

/**
 * The notice after the passkey link led to no login. `unused`: the person cancelled, or there is no passkey for the site; the browser does
 * not report which (WebAuthn Level 3, section 14.5). `elsewhere`: the same, but only passkeys of this device were requested; the next press
 * requests all. `unsupported`: the browser cannot use passkeys.
 */
export type PasskeyNote = 'unused' | 'elsewhere' | 'unsupported';

/** The intents of the passkey registration widget (specification, section 4). */
export type PasskeyIntent =
  /** With `email`, a visitor signs up with this address. */
  | { readonly type: 'passkey/createRequested'; readonly email?: string }
  | { readonly type: 'passkey/skipped' }
  | { readonly type: 'passkey/anotherRequested' }
  | { readonly type: 'passkey/done' }
  | { readonly type: 'passkey/renamed'; readonly id: string; readonly name: string }
  | { readonly type: 'passkey/deleted'; readonly id: string };

/** The outcomes of the passkey registration widget. */
export type PasskeyOutcome =
  | { readonly type: 'passkey/registered'; readonly reply: object }
  /** The user, who has just logged in, may create a passkey with this device. */
  | { readonly type: 'passkey/offered' }
  /** The offer is obsolete: the user has a passkey now. */
  | { readonly type: 'passkey/offerEnded' }
  | { readonly type: 'passkey/creationKnown'; readonly creation: ScreenOf<'PasskeyRegistrationStart'>['creation'] }
  /**
   * The passkeys of the signed-in user, with the requested changes that the server has not answered yet; null when nobody is
   * signed in.
   */
  | { readonly type: 'passkeys/known'; readonly passkeys: readonly WebauthnRegistration[] | null };
