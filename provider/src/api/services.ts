import type { Services as AccountServices } from '#provider/accounts/services.ts';
import type { Captcha } from './captcha/captcha.ts';

/** The services of the whole server. */
export interface Services extends AccountServices {
  /** Checks captcha tokens. Without it, only the test tokens of `--dev` are accepted. */
  readonly captcha?: Captcha;
  /** The demo that the pages of `--dev` link to. If absent, they have no such link. */
  readonly demoUrl?: string;
  /** The origin of the operators' page, if it is served. */
  readonly operatorsOrigin?: string;
}
