import { isRecord } from '#domain/shape.ts';
import { parseJson } from '#domain/json.ts';
import { outsideFetch } from '#provider/base/http/outside-fetch.ts';
import { INVALID, SetupError, TIMEOUT_MS, type Assessment, type CaptchaClaim, type CaptchaService } from './service.ts';

interface Settings {
  readonly siteKey: string;
  /** An API key of the Google Cloud project. */
  readonly secret: string;
  readonly project_id: string;
  readonly action: string;
}

/** reCAPTCHA Enterprise: `projects.assessments.create` of its REST API. Its JSON may leave out fields with the values false, 0 and ''. */
export class RecaptchaEnterprise implements CaptchaService {
  private readonly url: string;
  private readonly fetch: ReturnType<typeof outsideFetch>;

  constructor(
    private readonly settings: Settings,
    { origin = 'https://recaptchaenterprise.googleapis.com', allowPrivate = false } = {},
  ) {
    this.url = `${origin}/v1/projects/${encodeURIComponent(settings.project_id)}/assessments`;
    this.fetch = outsideFetch({ timeoutMs: TIMEOUT_MS, allowPrivate });
  }

  async assess({ token, address, userAgent }: CaptchaClaim): Promise<Assessment> {
    const { siteKey, secret, action } = this.settings;
    const event = { token, siteKey, expectedAction: action, userAgent, ...(address && { userIpAddress: address }) };
    const reply = await this.fetch(this.url, {
      method: 'POST',
      // Not in the URL, which would be logged.
      headers: { 'Content-Type': 'application/json', 'X-Goog-Api-Key': secret },
      body: JSON.stringify({ event }),
    });
    const text = await reply.text();
    if ([401, 403, 404].includes(reply.status) || (reply.status === 400 && text.includes('API_KEY_INVALID'))) {
      throw new SetupError('reCAPTCHA Enterprise refuses captcha_settings.secret or captcha_settings.project_id');
    }
    // Google answers 400 if it cannot read the token.
    if (reply.status === 400) return INVALID;
    const json = reply.status === 200 ? parseJson(text) : undefined;
    if (!isRecord(json)) throw new Error(`reCAPTCHA Enterprise answered ${reply.status}`);
    const { tokenProperties = {}, riskAnalysis = {} } = json;
    const { valid, hostname, action: tokenAction } = isRecord(tokenProperties) ? tokenProperties : {};
    const { score } = isRecord(riskAnalysis) ? riskAnalysis : {};
    return {
      isValid: valid === true,
      hostname: typeof hostname === 'string' ? hostname : '',
      action: typeof tokenAction === 'string' ? tokenAction : '',
      score: typeof score === 'number' ? score : 0,
    };
  }
}
