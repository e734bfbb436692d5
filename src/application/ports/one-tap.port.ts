/** The options of a One Tap prompt. */
export interface OneTapOptions {
  readonly clientId: string;
  /** Must be in the ID token, so that a stolen token cannot be used for another login. */
  readonly nonce: string;
  readonly cancelOnTapOutside: boolean;
  /** The id of the element in which the prompt shows; without it, the prompt shows over the page. */
  readonly parentId?: string;
  /** Called with the account's signed ID token when the person chooses an account. */
  readonly onCredential: (idToken: string) => void;
  readonly onCancelled: () => void;
}

/** The result of a prompt: shown, or the reason why not. */
export type OneTapShown = { readonly success: true } | { readonly success: false; readonly reason: string };

/**
 * Google One Tap.
 *
 * - `show` resolves within 10 s, when the prompt shows or is known not to appear, and does not reject;
 * - a new prompt replaces the previous one;
 * - with a `parentId` the prompt shows in that element, unless the browser always draws prompts itself;
 * - `hide` removes the prompt; no callback is called after it;
 * - `isDrawnByBrowser` is true when this browser draws prompts itself (FedCM), over the page.
 */
export interface OneTapPort {
  isDrawnByBrowser(): boolean | Promise<boolean>;
  show(options: OneTapOptions): Promise<OneTapShown>;
  hide(): void;
}
