import type { OneTapFault } from '#domain/social/one-tap.ts';

/** The remedies for a prompt that does not show. Only test projects show these texts, in English like the docs. */
export const ONE_TAP_FAULT_TEXTS: Readonly<Record<OneTapFault, string>> = {
  oauth_config_not_found:
    'Google is not set up for this project. Turn it on among the OAuth providers and give it a client ID.',
  no_signup_redirect_urls_set:
    'The project has no sign-up redirect URL. Register one, or pass oauthOptions.signupRedirectURL.',
  no_login_redirect_urls_set:
    'The project has no login redirect URL. Register one, or pass oauthOptions.loginRedirectURL.',
  unregistered_origin:
    'Google does not know the origin of this page. Add it to the authorized JavaScript origins of the client ID.',
  invalid_client: 'Google does not know the client ID of this project. Check it in the OAuth settings.',
  user_cancel:
    'The prompt was closed in this browser before, and Google does not show it again for a while. A private window shows it.',
};
