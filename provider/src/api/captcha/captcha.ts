import { pageOrigins } from '#domain/rules/redirects.ts';
import { isLoopbackHost } from '#domain/safe-url.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { Breaker, PausedError } from '#provider/base/http/breaker.ts';
import { isPublicAddress } from '#provider/base/http/outside-fetch.ts';
import { peerOf } from '#provider/base/peer.ts';
import { monotonicClock, MINUTE_MS, type Clock } from '#provider/base/platform.ts';
import type { CaptchaSettings } from '#provider/project/settings/captcha.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { Semaphore } from '#provider/base/security/semaphore.ts';
import { atMostEvery, type Warn } from '#provider/base/warnings.ts';
import { RecaptchaEnterprise } from './recaptcha-enterprise.ts';
import { SetupError, type Assessment, type CaptchaService } from './service.ts';
import { HCAPTCHA, Siteverify, TURNSTILE } from './siteverify.ts';

/** More than twice the length of the services' tokens. */
const TOKEN = /^[!-~]{1,8192}$/u;
/** The action that the client sends to reCAPTCHA Enterprise (specification, section 7). */
const ACTION = 'LOGIN';
const MIN_SCORE = 0.5;
const RETRY_AFTER_SECONDS = 5;
const PAUSE = { failures: 5, pauseMs: RETRY_AFTER_SECONDS * 1000 };
const WARN_EVERY_MS = 10 * MINUTE_MS;
/** The number of tokens that are assessed at once, and that can wait. */
const AT_ONCE = 64;
const WAITING = 256;

type Rules = Pick<Project, 'origins' | 'allow_loopback'> & {
  readonly captcha_settings: Pick<CaptchaSettings, 'provider' | 'hostnames' | 'action' | 'min_score'>;
};

interface PresentedToken {
  readonly token: string;
  readonly address: string;
  readonly userAgent: string;
}

/** Checks captcha tokens with the project's service. */
export class Captcha {
  private readonly breaker: Breaker;
  private readonly line = new Semaphore(AT_ONCE, WAITING, 'Too many captchas are being checked.');
  private readonly warn: Warn;

  constructor(
    private readonly service: CaptchaService,
    private readonly rules: Rules,
    warn: Warn,
    clock: Clock = monotonicClock,
  ) {
    this.breaker = new Breaker(PAUSE, clock);
    this.warn = atMostEvery(WARN_EVERY_MS, warn, clock);
  }

  /**
   * Whether a person solved the captcha on a page of this project. While the service does not answer, the request is rejected as
   * unavailable. Otherwise an attacker who disturbs the service could skip the captcha.
   */
  async isSolved({ token, address, userAgent }: PresentedToken): Promise<boolean> {
    if (!TOKEN.test(token)) return false;
    const claim = { token, userAgent, address: isPublicAddress(address) ? address : null };
    return this.line.run(async () => this.accepts(await this.assessed(claim)), peerOf(address));
  }

  private async assessed(claim: Parameters<CaptchaService['assess']>[0]): Promise<Assessment> {
    // Wrong settings are not an outage: the service answers, and works immediately after its settings are corrected.
    const outcome = await this.breaker.run(() => settled(this.service.assess(claim))).catch((error: unknown) => error);
    if (outcome instanceof Error) {
      if (outcome instanceof SetupError)
        this.warn(`${outcome.message}; no captcha can be solved until it is corrected.`);
      else if (!(outcome instanceof PausedError))
        this.warn('the captcha service does not answer; logins are refused until it does.');
      throw new Refusal(
        'service_unavailable',
        'The captcha service does not answer. Please try again in a moment.',
        RETRY_AFTER_SECONDS,
      );
    }
    return outcome as Assessment;
  }

  private accepts({ isValid, hostname, action, score }: Assessment): boolean {
    const { provider, action: projectAction, min_score } = this.rules.captcha_settings;
    const expected = projectAction ?? (provider === 'recaptcha_enterprise' ? ACTION : null);
    if (!isValid || !this.isOurs(hostname)) return false;
    if (expected !== null && action !== null && action !== expected) return false;
    return score === null || score >= (min_score ?? MIN_SCORE);
  }

  private isOurs(hostname: string): boolean {
    const { origins, allow_loopback, captcha_settings } = this.rules;
    const { hostnames } = captcha_settings;
    if (hostnames === 'any') return true;
    if (hostnames !== null) return hostnames.includes(hostname);
    if (allow_loopback && isLoopbackHost(hostname)) return true;
    return pageOrigins(origins).some((origin) => new URL(origin).hostname === hostname);
  }
}

/** A SetupError becomes a result, which does not count as a failure. */
function settled(assessing: Promise<Assessment>): Promise<Assessment | SetupError> {
  return assessing.catch((error: unknown) => {
    if (error instanceof SetupError) return error;
    throw error;
  });
}

/** The captcha of the project; undefined if it has none, or accepts only test tokens. */
export function captchaOf(project: Project, warn: Warn): Captcha | undefined {
  const { enabled, provider, siteKey, secret, project_id, action } = project.captcha_settings;
  if (!enabled || provider === null || siteKey === null || secret === null) return undefined;
  const service = (): CaptchaService => {
    if (provider === 'turnstile') return new Siteverify(TURNSTILE, { siteKey, secret });
    if (provider === 'hcaptcha') return new Siteverify(HCAPTCHA, { siteKey, secret });
    return new RecaptchaEnterprise({ siteKey, secret, project_id: project_id ?? '', action: action ?? ACTION });
  };
  return new Captcha(service(), project, warn);
}
