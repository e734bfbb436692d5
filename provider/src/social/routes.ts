import { oauthRedirects, withToken } from '../../../src/domain/rules/redirects.ts';
import { checkDuration, OAUTH_FLOW_MINUTES } from '../../../src/domain/rules/lifetimes.ts';
import { checkChallenge } from '../../../src/domain/rules/proof-key.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { newToken, sameSecret, tokenHash } from '../security/secrets.ts';
import { MINUTE_MS } from '../platform.ts';
import { entering } from '../sessions/entering.ts';
import type { Services } from '../services.ts';
import { ACCOUNT_CLIENT_ID, type AccountTokens } from './account-tokens.ts';
import { logInByOAuth } from './log-in.ts';
import { findOrCreateRegistration, issueOAuthToken } from './registrations.ts';
import { takeForNetwork } from '../security/limits.ts';

const CALLBACK_MS = OAUTH_FLOW_MINUTES * MINUTE_MS;

/** One Tap where it is set up: `tokens` is null where there is no built-in account page. */
function oneTap({ project }: Services, tokens: AccountTokens | null, publicToken: string): AccountTokens {
  if (!sameSecret(publicToken, project.public_token)) throw new Refusal('invalid_public_token');
  if (tokens === null || !project.google_one_tap || !project.oauth_providers.includes('google')) {
    throw new Refusal('oauth_config_not_found');
  }
  return tokens;
}

/** The answers of the social logins, by the built-in account page of this process. */
export function oauthWith(tokens: AccountTokens | null): Routes['oauth'] {
  return {
    async authenticate(services, { body, caller }) {
      checkDuration(body.session_duration_minutes);
      const { token, code_verifier, session_duration_minutes: minutes } = body;
      const enter = entering(services, caller, minutes);
      const { reply, found } = await logInByOAuth(services, { token, code_verifier, caller, enter });
      const { provider_type, provider_subject, profile_picture_url, locale, provider_values } = found;
      return { ...reply, provider_subject, provider_type, profile_picture_url, locale, provider_values };
    },

    async oneTapStart(services, { body, caller }) {
      oneTap(services, tokens, body.public_token);
      await takeForNetwork(services, 'challenge', caller.address, services.limits.searchesPerNetwork);
      const oauth_callback_id = newToken(services.random);
      await services.db
        .insertInto('one_tap_callbacks')
        .values({
          callback_hash: tokenHash(oauth_callback_id),
          expires_at: new Date(services.clock.now() + CALLBACK_MS),
        })
        .execute();
      return { google_client_id: ACCOUNT_CLIENT_ID, oauth_callback_id };
    },

    async oneTapSubmit(services, { body }) {
      const verifier = oneTap(services, tokens, body.public_token);
      const { project, clock } = services;
      const redirects = oauthRedirects(project, { login: body.login_redirect_url, signup: body.signup_redirect_url });
      checkChallenge(body.code_challenge, project.pkce_required_for_oauth);
      const claims = await verifier.idTokenClaims(body.id_token, 'google', ACCOUNT_CLIENT_ID);
      const nonce = claims?.['nonce'] ?? body.oauth_callback_id;
      if (claims === null || nonce !== body.oauth_callback_id) throw new Refusal('invalid_client');
      return transaction(services.db, async (tx) => {
        const spent = await tx
          .deleteFrom('one_tap_callbacks')
          .where('callback_hash', '=', tokenHash(body.oauth_callback_id))
          .where('expires_at', '>', new Date(clock.now()))
          .returning('callback_hash')
          .executeTakeFirst();
        if (spent === undefined) throw new Refusal('oauth_flow_callback_error');
        const { registration, isNew } = await findOrCreateRegistration(services, tx, 'google', claims);
        const token = await issueOAuthToken(services, tx, registration, body.code_challenge ?? null, {
          access_token: '',
          id_token: body.id_token,
          refresh_token: '',
          scopes: ['openid', 'email', 'profile'],
          expires_at: new Date((claims.exp ?? 0) * 1000).toISOString(),
        });
        return {
          redirect_url: withToken(isNew ? redirects.signup_redirect_url : redirects.login_redirect_url, token, 'oauth'),
        };
      });
    },
  };
}
