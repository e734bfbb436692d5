import { exhaustMap } from 'rxjs';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { MAGIC_LINK_EXPIRATION_MINUTES } from '#domain/widget/widget-config.ts';
import type { MagicLinkOptions } from '../../../use-cases/links/magic-link-login.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { attempt, ofType } from '../attempt.ts';

/** The configured options under the wire's names (specification, section 7). */
export function magicLinkOptions({ emailMagicLinksOptions: options = {} }: LoginConfig): MagicLinkOptions {
  return {
    login_magic_link_url: options.loginRedirectURL,
    login_expiration_minutes: options.loginExpirationMinutes ?? MAGIC_LINK_EXPIRATION_MINUTES,
    login_template_id: options.loginTemplateId,
    signup_magic_link_url: options.signupRedirectURL,
    signup_expiration_minutes: options.signupExpirationMinutes ?? MAGIC_LINK_EXPIRATION_MINUTES,
    signup_template_id: options.signupTemplateId,
    create_user_as_pending: options.createUserAsPending,
    locale: options.locale,
  };
}

/** Mails the link. Another intent while a request is pending is ignored. */
export function magicLinkEffect({ magicLinks }: Services<'magicLinks'>, config: () => LoginConfig): Effect {
  return ({ events$ }) =>
    ofType(events$, 'magicLink/requested').pipe(
      exhaustMap((intent) =>
        attempt(events$, intent, async () => {
          const reply = await magicLinks.loginOrCreate(intent.email, magicLinkOptions(config()));
          return { type: 'magicLink/sent', email: intent.email, reply };
        }),
      ),
    );
}
