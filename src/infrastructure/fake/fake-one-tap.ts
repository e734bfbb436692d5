import type { OneTapOptions, OneTapPort, OneTapShown } from '../../application/ports/index.ts';

/** A prompt that a test answers. */
export class FakeOneTap implements OneTapPort {
  /** Why prompts do not come from now on; null lets them come. */
  refusal: string | null = null;
  /** The options of every `show`, oldest first. */
  readonly prompts: readonly OneTapOptions[] = [];
  /** True makes a browser that draws prompts itself. */
  drawnByBrowser = false;
  private open: OneTapOptions | null = null;

  /** Whether a prompt is there now. */
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

  /** The person chooses an account. */
  choose(idToken: string): void {
    this.close()?.onCredential(idToken);
  }

  /** The person closes the prompt. */
  cancel(): void {
    this.close()?.onCancelled();
  }

  private close(): OneTapOptions | null {
    const { open } = this;
    this.open = null;
    return open;
  }
}
