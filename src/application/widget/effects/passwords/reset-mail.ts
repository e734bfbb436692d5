import { isAuthError } from '#domain/errors.ts';
import { MAGIC_LINK_EXPIRATION_MINUTES, type LoginConfig } from '#domain/widget/widget-config.ts';
import type { PasswordLogin } from '../../../use-cases/passwords/password-login.ts';

type ResetMail = Parameters<PasswordLogin['resetByEmailStart']>[0];

/** The configured options of a reset mail under the wire's names (specification, section 7). */
export function resetMail({ passwordOptions: options = {} }: LoginConfig, email: string): ResetMail {
  return {
    email,
    login_redirect_url: options.loginRedirectURL,
    login_expiration_minutes: options.loginExpirationMinutes ?? MAGIC_LINK_EXPIRATION_MINUTES,
    reset_password_redirect_url: options.resetPasswordRedirectURL,
    reset_password_expiration_minutes: options.resetPasswordExpirationMinutes,
    reset_password_template_id: options.resetPasswordTemplateId,
    locale: options.locale,
  };
}

/** The type of a refusal, or null for any other error. */
export function refusedAs(error: unknown): string | null {
  return isAuthError(error) && error.kind === 'api' ? error.error_type : null;
}
