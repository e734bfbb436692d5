import { FieldError, flag, listOf, Mistakes, object, oneOf, text, textThat, type Reader } from '../readers/readers.ts';
import { secretText } from '../readers/secret-text.ts';

export type CaptchaProvider = 'recaptcha_enterprise' | 'turnstile' | 'hcaptcha';

/** The captcha that protects sends, logins, searches and passwords (specification, sections 3 and 4). */
export interface CaptchaSettings {
  readonly enabled: boolean;
  /** Public: the page loads the service with it. */
  readonly siteKey: string | null;
  /** The service that verifies tokens; if null, only the test tokens of `--dev` are accepted. */
  readonly provider: CaptchaProvider | null;
  /** The API key of Google Cloud, or the secret of the site key. */
  readonly secret: string | null;
  /** The project of Google Cloud. */
  readonly project_id: string | null;
  /** The minimum score of reCAPTCHA, from 0 (a program) to 1 (a person); null for 0.5. */
  readonly min_score: number | null;
  /** The action for which the page must have requested the token; null for the default of the service. */
  readonly action: string | null;
  /** The hosts on which the captcha may have been solved; null for the hosts of `origins`. */
  readonly hostnames: readonly string[] | 'any' | null;
}

export const NO_CAPTCHA: CaptchaSettings = {
  enabled: false,
  siteKey: null,
  provider: null,
  secret: null,
  project_id: null,
  min_score: null,
  action: null,
  hostnames: null,
};

const score: Reader<number> = (value, path) => {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) throw new FieldError(path, 'a number from 0 to 1');
  return value;
};

const HOST = textThat('a host name in lower case such as shop.example', (host) =>
  /^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/u.test(host),
);

const hostnames: Reader<CaptchaSettings['hostnames']> = (value, path) =>
  value === 'any' ? value : listOf(HOST, "'any' or an array of host names")(value, path);

const { enabled: _, ...OPTIONAL } = NO_CAPTCHA;

export const captchaSettings = object<CaptchaSettings>(
  {
    enabled: flag,
    siteKey: text,
    provider: oneOf('recaptcha_enterprise', 'turnstile', 'hcaptcha'),
    secret: secretText,
    project_id: textThat('the id of a Google Cloud project', (id) => /^[a-z\d][a-z\d:.-]{0,62}$/u.test(id)),
    min_score: score,
    action: textThat('1 to 100 letters, digits, _ and /', (action) => /^[\w/]{1,100}$/u.test(action)),
    hostnames,
  },
  OPTIONAL,
);

const field = (name: keyof CaptchaSettings): string => `captcha_settings.${name}`;

/** Refuses settings that would refuse every token, or have no effect. */
export function checkCaptcha({
  enabled,
  siteKey,
  provider,
  secret,
  project_id,
  min_score,
  action,
}: CaptchaSettings): void {
  if (!enabled) return;
  const mistakes = new Mistakes();
  mistakes.refuseIf(siteKey === null, field('siteKey'), 'given when captcha is enabled');
  if (provider !== null) {
    const isRecaptcha = provider === 'recaptcha_enterprise';
    mistakes.refuseIf(secret === null, field('secret'), 'given with captcha_settings.provider');
    mistakes.refuseIf(isRecaptcha && project_id === null, field('project_id'), 'given for reCAPTCHA Enterprise');
    const only = 'left out: only reCAPTCHA Enterprise has';
    mistakes.refuseIf(!isRecaptcha && project_id !== null, field('project_id'), `${only} projects`);
    mistakes.refuseIf(!isRecaptcha && min_score !== null, field('min_score'), `${only} scores`);
    const isNamed = provider === 'hcaptcha' && action !== null;
    mistakes.refuseIf(isNamed, field('action'), 'left out: tokens of hCaptcha name no action');
  }
  mistakes.check();
}
