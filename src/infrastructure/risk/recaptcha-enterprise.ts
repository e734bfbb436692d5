import type { CaptchaPort, ClockPort } from '#application/ports/index.ts';
import { withTimeout } from '#application/ports/with-timeout.ts';
import type { ScriptLoader } from './script-loader.ts';

const PATIENCE_MS = 5_000;

/** The part of reCAPTCHA Enterprise's global that is used. */
interface Enterprise {
  ready(task: () => void): void;
  execute(siteKey: string, options: { readonly action: string }): PromiseLike<unknown>;
}

type Page = Window & { readonly grecaptcha?: { readonly enterprise?: Partial<Enterprise> } };

/** Score-based reCAPTCHA Enterprise. Its script is loaded from `https://www.google.com`. */
export class RecaptchaEnterprise implements CaptchaPort {
  constructor(
    private readonly window: Window,
    private readonly clock: ClockPort,
    private readonly loader: ScriptLoader,
  ) {}

  async token(siteKey: string): Promise<string | null> {
    const url = `https://www.google.com/recaptcha/enterprise.js?render=${encodeURIComponent(siteKey)}`;
    let isReady = false;
    const token = await withTimeout(this.clock, PATIENCE_MS, async () => {
      const loaded = await this.loader.load(url, () => this.find('ready'));
      await new Promise<void>((resolve) => loaded.ready(resolve));
      isReady = true;
      return this.find('execute')?.execute(siteKey, { action: 'LOGIN' });
    });
    // The script loads a second one. If that failed, the first must be loaded again.
    if (!isReady) this.loader.forget(url);
    return typeof token === 'string' && token !== '' ? token : null;
  }

  private find(method: keyof Enterprise): Enterprise | null {
    const enterprise = (this.window as Page).grecaptcha?.enterprise;
    return typeof enterprise?.[method] === 'function' ? (enterprise as Enterprise) : null;
  }
}
