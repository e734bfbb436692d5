import type { OneTapOptions, OneTapPort, OneTapShown } from '#application/ports/index.ts';

/** A One Tap prompt that the test answers. */
export class FakeOneTap implements OneTapPort {
  /** The reason why further prompts do not show; null lets them show. */
  refusal: string | null = null;
  /** The options of every `show`, oldest first. */
  readonly prompts: readonly OneTapOptions[] = [];
  /** True simulates a browser that draws prompts itself (FedCM). */
  drawnByBrowser = false;
  private open: OneTapOptions | null = null;

  /** Whether a prompt is shown now. */
  get isShown(): boolean {
    return this.open !== null;
  }

  isDrawnByBrowser(): boolean {
    return this.drawnByBrowser;
  }

  async show(options: OneTapOptions): Promise<OneTapShown> {
    (this.prompts as OneTapOptions[]).push(options);
    this.open = this.refusal === null ? options : null;
    return this.refusal === null ? { success: true } : { success: false, reason: this.refusal };
  }

  hide(): void {
    this.open = null;
  }

  /** Simulates that the person chooses an account. */
  choose(idToken: string): void {
    this.close()?.onCredential(idToken);
  }

  /** Simulates that the person closes the prompt. */
  cancel(): void {
    this.close()?.onCancelled();
  }

  private close(): OneTapOptions | null {
    const { open } = this;
    this.open = null;
    return open;
  }
}
