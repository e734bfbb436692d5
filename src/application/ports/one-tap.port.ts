/** How a One Tap prompt is shown. */
export interface OneTapOptions {
  readonly clientId: string;
  readonly cancelOnTapOutside: boolean;
  /** The id of the element of the document that it stands in; without one it stands over the page. */
  readonly parentId?: string;
  /** The person chose an account: its signed ID token. */
  readonly onCredential: (idToken: string) => void;
  readonly onCancelled: () => void;
}

/** Whether the prompt is there; else why not. */
export type OneTapShown = { readonly success: true } | { readonly success: false; readonly reason: string };

/**
 * Google One Tap.
 *
 * - `show` resolves once the prompt is there or is known not to come, within 10 s, and does not reject;
 * - a new prompt takes the place of the last;
 * - with a `parentId` it stands in that element, unless the browser draws prompts itself and cannot be kept from it;
 * - `hide` takes the prompt away, and no callback comes after it;
 * - `isDrawnByBrowser` tells whether this browser draws prompts itself, over the page.
 */
export interface OneTapPort {
  isDrawnByBrowser(): boolean | Promise<boolean>;
  show(options: OneTapOptions): Promise<OneTapShown>;
  hide(): void;
}
