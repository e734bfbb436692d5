/** How a One Tap prompt is shown. */
export interface OneTapOptions {
  readonly clientId: string;
  readonly cancelOnTapOutside: boolean;
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
 * - `hide` takes the prompt away, and no callback comes after it.
 */
export interface OneTapPort {
  show(options: OneTapOptions): Promise<OneTapShown>;
  hide(): void;
}
