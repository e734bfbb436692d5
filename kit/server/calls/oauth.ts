import { oauth } from '#application/api/index.ts';
import { FACTORS } from '#domain/rules/factors.ts';
import { checkDuration, OAUTH_FLOW_MINUTES, OAUTH_TOKEN_MINUTES } from '#domain/rules/lifetimes.ts';
import { checkChallenge } from '#server-rules/proof-key.ts';
import { oauthRedirects, withToken, type OAuthRedirects } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { attachTokenOf, tokensToSpend, type Attachee } from '#server-rules/social-attach.ts';
import { OAUTH_PROVIDERS } from '#domain/social/oauth-providers.ts';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import type { PostedForm } from '../../ports/fake-form-post.ts';
import { requireSession } from '../state/admission.ts';
import type { Answers } from '../state/answers.ts';
import { logIn, sessionIdOf } from '../state/sign-in.ts';
import {
  addressOf,
  attachAccount,
  attachingSession,
  findOrCreateOwner,
  isRemoved,
  likelyOwner,
} from './social-accounts.ts';
import type { ServerState } from '../state/state.ts';
import type { FakeAccount, OAuthReturn } from '../state/tables.ts';

const SCOPES = ['openid', 'email', 'profile'];
const ID_TOKEN = 'fake-id-token:';

/** The URL to which a social login returns after the person chooses that account. Throws if the server refuses. */
export function returnFrom(state: ServerState, start: string | PostedForm, account: FakeAccount): string {
  const address = new URL(typeof start === 'string' ? start : start.url);
  try {
    const posted = typeof start === 'string' ? null : new URLSearchParams(start.fields);
    return startAndReturn(state, address, posted, account);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw Object.assign(error, { error_type: error.type });
  } finally {
    for (const token of tokensToSpend(address.searchParams)) state.attachTokens.delete(token);
  }
}

function startAndReturn(
  state: ServerState,
  { pathname, searchParams }: URL,
  posted: URLSearchParams | null,
  account: FakeAccount,
): string {
  const fields = posted ?? searchParams;
  const provider = /^\/v1\/public\/oauth\/([a-z]+)\/start$/u.exec(pathname)?.[1] ?? '';
  if (!Object.hasOwn(OAUTH_PROVIDERS, provider)) throw new Refusal('oauth_config_not_found');
  const attach = attachTokenOf(searchParams, posted);
  const text = (name: string): string | undefined => (fields.get(name) ?? '') || undefined;
  const redirects = redirectsOf(state, text('login_redirect_url'), text('signup_redirect_url'));
  const challenge = text('code_challenge');
  checkChallenge(challenge, state.project['pkce_required_for_oauth'] === true);
  const custom = (text('custom_scopes') ?? '').split(' ').filter((scope) => scope !== '');
  const serial = state.next();
  const values = {
    access_token: `${provider}-access-token-${serial}`,
    id_token: `${provider}-id-token-${serial}`,
    refresh_token: '',
    scopes: [...SCOPES, ...custom],
    expires_at: new Date(state.in(OAUTH_TOKEN_MINUTES)).toISOString(),
  };
  const attachee = attach === undefined ? null : redeemAttachToken(state, provider, attach);
  return finish(state, { provider, account, redirects, values, challenge: challenge ?? null, attachee });
}

function redeemAttachToken(state: ServerState, provider: string, token: string): Attachee {
  const found = state.live(state.attachTokens, token);
  if (found?.provider !== provider) throw new Refusal('oauth_token_not_found');
  state.attachTokens.delete(token);
  const { user_id, session_id } = found;
  return { user_id, session_id };
}

function redirectsOf(state: ServerState, login: string | undefined, signup: string | undefined): OAuthRedirects {
  const { login_redirect_url } = oauthRedirects(state.rules(login), { login, signup: undefined });
  const { signup_redirect_url } = oauthRedirects(state.rules(signup), { login: undefined, signup });
  return { login_redirect_url, signup_redirect_url };
}

/** The ID token that One Tap returns after the person chooses that account, with the lifetime of a social provider's tokens. */
export function idTokenOf(state: ServerState, account: FakeAccount): string {
  return ID_TOKEN + JSON.stringify({ ...account, exp: state.in(OAUTH_TOKEN_MINUTES) });
}

interface OAuthCompletion extends Pick<OAuthReturn, 'provider' | 'values' | 'challenge' | 'attachee'> {
  readonly account: FakeAccount;
  readonly redirects: OAuthRedirects;
}

/** Only the token is stored here. `oauth.authenticate` finds, creates or changes the user. */
function finish(state: ServerState, { redirects, ...finished }: OAuthCompletion): string {
  const { provider, account, attachee } = finished;
  const subject = `${provider}-subject-of-${account.email.toLowerCase()}`;
  const attaching = attachee && { user_id: attachee.user_id, registration_id: null, isNew: false };
  const { isNew, ...owner } = attaching ?? likelyOwner(state, { provider, subject, account });
  const token = `oauth-token-${state.next()}`;
  state.returns.set(token, { ...finished, ...owner, subject, expiresAt: state.in(OAUTH_TOKEN_MINUTES) });
  return withToken(isNew ? redirects.signup_redirect_url : redirects.login_redirect_url, token, 'oauth');
}

/** Social logins after the return from the provider, and Google One Tap. */
export function answerOAuth(answers: Answers, state: ServerState): void {
  const live = (token: string): OAuthReturn => {
    const found = state.live(state.returns, token);
    if (found === undefined || isRemoved(state, found)) throw new Refusal('oauth_token_not_found');
    return found;
  };

  answers
    .to(oauth.attach, ({ provider }, caller) => {
      const { user_id, session_id } = requireSession(state, caller);
      if (!Object.hasOwn(OAUTH_PROVIDERS, provider)) throw new Refusal('oauth_config_not_found');
      const oauth_attach_token = `oauth-attach-token-${state.next()}`;
      const expiresAt = state.in(OAUTH_TOKEN_MINUTES);
      state.attachTokens.set(oauth_attach_token, { provider, user_id, session_id, expiresAt });
      return { oauth_attach_token };
    })
    .to(oauth.authenticate, async ({ token, code_verifier, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      await state.checkVerifier(live(token).challenge, code_verifier);
      const returned = live(token);
      const { attachee, provider, subject, values } = returned;
      const session = attachee === null ? undefined : attachingSession(state, attachee, caller);
      const spend = (): void => void state.returns.delete(token);
      const owner = session
        ? attachAccount(state, session.user_id, returned, spend)
        : findOrCreateOwner(state, returned, caller, spend);
      const { user_id, registration, isStored } = owner;
      const email_id = addressOf(state, user_id, returned.account);
      const reply = logIn(state, { user_id, factor: FACTORS.oauth({ ...registration, email_id }), minutes, caller });
      if (!isStored) {
        const session_id = sessionIdOf(state, reply);
        state.pendingRegistrations.set(`${session_id} ${provider}`, { session_id, registration });
      }
      const { profile_picture_url, locale } = registration;
      const ids = { provider_subject: subject, provider_type: provider };
      return { ...reply, ...ids, profile_picture_url, locale, provider_values: values };
    })
    .to(oauth.oneTapStart, () => {
      const oauth_callback_id = `oauth-callback-${state.next()}`;
      state.callbacks.set(oauth_callback_id, state.in(OAUTH_FLOW_MINUTES));
      return { google_client_id: 'google-client-fake', oauth_callback_id };
    })
    .to(oauth.oneTapSubmit, ({ id_token, oauth_callback_id, code_challenge: challenge, ...body }) => {
      const redirects = redirectsOf(state, body.login_redirect_url, body.signup_redirect_url);
      checkChallenge(challenge, state.project['pkce_required_for_oauth'] === true);
      const account = id_token.startsWith(ID_TOKEN) ? parseJson(id_token.slice(ID_TOKEN.length)) : undefined;
      const { email, email_verified, exp } = isRecord(account) ? account : {};
      if (typeof email !== 'string' || typeof exp !== 'number' || exp <= state.now())
        throw new Refusal('invalid_client');
      const isLive = (state.callbacks.get(oauth_callback_id) ?? 0) > state.now();
      state.callbacks.delete(oauth_callback_id);
      if (!isLive) throw new Refusal('oauth_flow_callback_error');
      const values = {
        access_token: '',
        id_token,
        refresh_token: '',
        scopes: SCOPES,
        expires_at: new Date(exp).toISOString(),
      };
      const profile = { email, email_verified: email_verified !== false };
      const finishing = { provider: 'google', account: profile, redirects, values, challenge: challenge ?? null };
      const redirect_url = finish(state, { ...finishing, attachee: null });
      return { redirect_url };
    });
}
