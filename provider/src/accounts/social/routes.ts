import { oauthRedirects, withToken } from '#domain/rules/redirects.ts';
import { checkDuration, OAUTH_FLOW_MINUTES } from '#domain/rules/lifetimes.ts';
import { compactJwt } from '#domain/rules/compact-jwt.ts';
import { checkChallenge } from '#server-rules/proof-key.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Routes } from '../sessions/reading/contract.ts';
import { newToken, sameSecret, tokenHash } from '#provider/base/security/secrets.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { spendOnce } from '../sessions/proofs/spend-once.ts';
import { entering } from '../sessions/login/entering.ts';
import type { Services } from '../services.ts';
import { issueAttachToken } from './logins/attaching.ts';
import { logInByOAuth } from './logins/log-in.ts';
import { issueOAuthToken } from './logins/oauth-tokens.ts';
import type { OneTap } from './providers/one-tap.ts';
import { isOffered } from './providers/providers.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';

const CALLBACK_MS = OAUTH_FLOW_MINUTES * MINUTE_MS;

/** The routes of the social logins; `tap` is null if One Tap is not set up. */
export function oauthWith(tap: OneTap | null): Routes['oauth'] {
  function oneTap({ project }: Pick<Services, 'project'>, publicToken: string): OneTap {
    if (!sameSecret(publicToken, project.public_token)) throw new Refusal('invalid_public_token');
    if (tap === null) throw new Refusal('oauth_config_not_found');
    return tap;
  }

  return {
    async authenticate(services, { body, caller }) {
      checkDuration(body.session_duration_minutes);
      const { token, code_verifier, session_duration_minutes: minutes } = body;
      const enter = entering(services, caller, minutes);
      const redeeming = { token, code_verifier, caller, by: 'page', enter, goOn: enter } as const;
      const { reply, registration, provider_values } = await logInByOAuth(services, redeeming);
      const { provider_type, provider_subject, profile_picture_url, locale } = registration;
      return { ...reply, provider_subject, provider_type, profile_picture_url, locale, provider_values };
    },

    async attach(services, { body: { provider }, caller, session }) {
      if (!isOffered(services, provider)) throw new Refusal('oauth_config_not_found');
      await takeForNetwork(services, 'challenge', caller.address, services.limits.searchesPerNetwork);
      const user = { user_id: session.user_id, session };
      return { oauth_attach_token: await issueAttachToken(services, provider, user) };
    },

    async oneTapStart(services, { body, caller }) {
      const { client_id: google_client_id } = oneTap(services, body.public_token);
      await takeForNetwork(services, 'challenge', caller.address, services.limits.searchesPerNetwork);
      const oauth_callback_id = newToken(services.random);
      await services.db
        .insertInto('one_tap_callbacks')
        .values({
          callback_hash: tokenHash(oauth_callback_id),
          expires_at: new Date(services.clock.now() + CALLBACK_MS),
        })
        .execute();
      return { google_client_id, oauth_callback_id };
    },

    async oneTapSubmit(services, { body }) {
      const verifier = oneTap(services, body.public_token);
      const { project, clock } = services;
      const redirects = oauthRedirects(project, { login: body.login_redirect_url, signup: body.signup_redirect_url });
      checkChallenge(body.code_challenge, project.pkce_required_for_oauth);
      const tapped = await verifier.check(body.id_token);
      const nonce = tapped?.nonce ?? body.oauth_callback_id;
      if (tapped === null || nonce !== body.oauth_callback_id) throw new Refusal('invalid_client');
      const { profile, assurance, expires_at } = tapped;
      return transaction(services.db, async (tx) => {
        const row = await tx
          .deleteFrom('one_tap_callbacks')
          .where('callback_hash', '=', tokenHash(body.oauth_callback_id))
          .where('expires_at', '>', new Date(clock.now()))
          .returning('callback_hash')
          .executeTakeFirst();
        // Older clients request tokens without a nonce, so a stolen token would fit every callback.
        const isFirst = row !== undefined && (await useIdToken(tx, body.id_token, expires_at));
        if (!isFirst) throw new Refusal('oauth_flow_callback_error');
        const code_challenge = body.code_challenge ?? null;
        const values = {
          access_token: '',
          id_token: body.id_token,
          refresh_token: '',
          scopes: ['openid', 'email', 'profile'],
          expires_at: expires_at.toISOString(),
        };
        const issuing = {
          identity: { provider: 'google', profile, assurance },
          values,
          code_challenge,
          attachee: null,
        };
        const { token, isNew } = await issueOAuthToken(services, tx, issuing);
        return {
          redirect_url: withToken(isNew ? redirects.signup_redirect_url : redirects.login_redirect_url, token, 'oauth'),
        };
      });
    },
  };
}

/** True for one caller only, until the token expires. */
async function useIdToken(tx: Db, token: string, expires_at: Date): Promise<boolean> {
  const signingInput = compactJwt(token)?.signingInput;
  const endsAt = (expires_at.getTime() + MINUTE_MS) / 1000;
  return signingInput !== undefined && spendOnce(tx, { kind: 'one tap', signer: 'google', id: signingInput, endsAt });
}
