import type { WebauthnRegistration } from '../user.ts';
import type { ScreenOf } from './screen.ts';

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
  | { readonly type: 'passkey/creationKnown'; readonly creation: ScreenOf<'PasskeyRegistrationStart'>['creation'] }
  /**
   * Whose passkeys they are, with what the person asked of them and the server has not answered yet: null when nobody is
   * signed in.
   */
  | { readonly type: 'passkeys/known'; readonly passkeys: readonly WebauthnRegistration[] | null };
