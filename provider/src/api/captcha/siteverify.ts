import { isRecord } from '#domain/shape.ts';
import { parseJson } from '#domain/json.ts';
import { outsideFetch } from '#provider/base/http/outside-fetch.ts';
import { SetupError, TIMEOUT_MS, type Assessment, type CaptchaClaim, type CaptchaService } from './service.ts';

interface Dialect {
  readonly name: string;
  readonly url: string;
  /** If the request names the expected site key, hCaptcha rejects tokens of other ones. */
  readonly sendsSiteKey: boolean;
  readonly hasActions: boolean;
}

export const TURNSTILE: Dialect = {
  name: 'Turnstile',
  url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  sendsSiteKey: false,
  hasActions: true,
};

export const HCAPTCHA: Dialect = {
  name: 'hCaptcha',
  url: 'https://api.hcaptcha.com/siteverify',
  sendsSiteKey: true,
  hasActions: false,
};

interface Settings {
  readonly siteKey: string;
  readonly secret: string;
}

/** Error codes that require a change of the settings. A visitor's token cannot cause any of them. */
const SETUP: ReadonlySet<unknown> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'not-using-dummy-secret',
  'not-using-dummy-passcode',
]);

/** `siteverify` of Turnstile and hCaptcha: a form with the secret and the token. The answer is JSON. */
export class Siteverify implements CaptchaService {
  private readonly fetch: ReturnType<typeof outsideFetch>;

  constructor(
    private readonly dialect: Dialect,
    private readonly settings: Settings,
    { allowPrivate = false } = {},
  ) {
    this.fetch = outsideFetch({ timeoutMs: TIMEOUT_MS, allowPrivate });
  }

  async assess({ token, address }: CaptchaClaim): Promise<Assessment> {
    const { name, url, sendsSiteKey, hasActions } = this.dialect;
    const { siteKey, secret } = this.settings;
    const body = new URLSearchParams({ secret, response: token });
    if (address !== null) body.set('remoteip', address);
    if (sendsSiteKey) body.set('sitekey', siteKey);
    const reply = await this.fetch(url, { method: 'POST', body });
    const json = reply.status < 500 && reply.status !== 429 ? parseJson(await reply.text()) : undefined;
    // Turnstile answers some refusals with 400 and the same JSON.
    if (!isRecord(json) || typeof json['success'] !== 'boolean') throw new Error(`${name} answered ${reply.status}`);
    const { success, hostname, action } = json;
    const codes: unknown = json['error-codes'];
    const errors: readonly unknown[] = Array.isArray(codes) ? codes : [];
    if (errors.some((code) => SETUP.has(code))) throw new SetupError(`${name} refuses captcha_settings.secret`);
    if (errors.includes('internal-error')) throw new Error(`${name} had an internal error`);
    return {
      isValid: success,
      hostname: typeof hostname === 'string' ? hostname : '',
      action: hasActions ? (typeof action === 'string' ? action : '') : null,
      score: null,
    };
  }
}
