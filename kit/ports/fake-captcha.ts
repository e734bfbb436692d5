import type { CaptchaPort } from '#application/ports/index.ts';

/** A captcha service that always succeeds, with the tokens `captcha-1`, `captcha-2` and so on. */
export class FakeCaptcha implements CaptchaPort {
  /** True simulates a service that cannot be reached. */
  down = false;
  /** The site key of every call, oldest first. */
  readonly asked: readonly string[] = [];
  private count = 0;

  async token(siteKey: string): Promise<string | null> {
    (this.asked as string[]).push(siteKey);
    if (this.down) return null;
    this.count += 1;
    return `captcha-${this.count}`;
  }
}
