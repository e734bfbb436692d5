import { oauth } from '../../../application/api/index.ts';
import { FACTORS } from '../../../domain/rules/factors.ts';
import { checkDuration, OAUTH_FLOW_MINUTES, OAUTH_TOKEN_MINUTES } from '../../../domain/rules/lifetimes.ts';
import { checkChallenge } from '../../../domain/rules/proof-key.ts';
import { oauthRedirects, withToken, type OAuthRedirects } from '../../../domain/rules/redirects.ts';
import { Refusal } from '../../../domain/rules/refusal.ts';
import { OAUTH_PROVIDERS } from '../../../domain/oauth-providers.ts';
import { parseJson } from '../../../domain/json.ts';
import { isRecord } from '../../../domain/shape.ts';
import type { OAuthRegistration } from '../../../domain/user.ts';
import type { PostedForm } from '../fake-form-post.ts';
import type { Answers } from './answers.ts';
import { change, confirmEmail, findEmail, findOrCreateEmail, newUser, readUser } from './people.ts';
import { logIn } from './sign-in.ts';
import type { ServerState } from './state.ts';
import type { FakeAccount, OAuthReturn } from './tables.ts';

const SCOPES = ['openid', 'email', 'profile'];
const ID_TOKEN = 'fake-id-token:';

/** The URL to which a social login returns when the person chooses that account. Throws when the server refuses. */
export function returnFrom(state: ServerState, start: string | PostedForm, account: FakeAccount): string {
  try {
    const { url, fields } = typeof start === 'string' ? { url: start, fields: new URL(start).searchParams } : start;
    return startAndReturn(state, new URL(url).pathname, new URLSearchParams(fields), account);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw Object.assign(error, { error_type: error.type });
  }
}

function startAndReturn(state: ServerState, pathname: string, fields: URLSearchParams, account: FakeAccount): string {
  const provider = /^\/v1\/public\/oauth\/([a-z]+)\/start$/u.exec(pathname)?.[1] ?? '';
  if (!Object.hasOwn(OAUTH_PROVIDERS, provider)) throw new Refusal('oauth_config_not_found');
  const text = (name: string): string | undefined => (fields.get(name) ?? '') || undefined;
  const redirects = redirectsOf(state, text('login_redirect_url'), text('signup_redirect_url'));
  const challenge = text('code_challenge');
  checkChallenge(challenge, state.project['pkce_required_for_oauth'] === true);
  const custom = (text('custom_scopes') ?? '').split(' ').filter((scope) => scope !== '');
  const made = state.next();
  const values = {
    access_token: `${provider}-access-token-${made}`,
    id_token: `${provider}-id-token-${made}`,
    refresh_token: '',
    scopes: [...SCOPES, ...custom],
    expires_at: new Date(state.in(OAUTH_TOKEN_MINUTES)).toISOString(),
  };
  return finish(state, { provider, account, redirects, values, challenge: challenge ?? null });
}

function redirectsOf(state: ServerState, login: string | undefined, signup: string | undefined): OAuthRedirects {
  const { login_redirect_url } = oauthRedirects(state.rules(login), { login, signup: undefined });
  const { signup_redirect_url } = oauthRedirects(state.rules(signup), { login: undefined, signup });
  return { login_redirect_url, signup_redirect_url };
}

/** The ID token that One Tap returns when the person chooses that account, with the lifetime of a social provider's tokens. */
export function idTokenOf(state: ServerState, account: FakeAccount): string {
  return ID_TOKEN + JSON.stringify({ ...account, exp: state.in(OAUTH_TOKEN_MINUTES) });
}

interface Finishing extends Pick<OAuthReturn, 'provider' | 'values' | 'challenge'> {
  readonly account: FakeAccount;
  readonly redirects: OAuthRedirects;
}

function finish(state: ServerState, { provider, account, redirects, values, challenge }: Finishing): string {
  const subject = `${provider}-subject-of-${account.email.toLowerCase()}`;
  const { user_id, isNew } = findOrRegister(state, provider, subject, account);
  const known = account.email_verified === false ? undefined : findEmail(state, account.email);
  const email_id = known?.user_id === user_id ? known.email_id : undefined;
  const token = `oauth-token-${state.next()}`;
  const expiresAt = state.in(OAUTH_TOKEN_MINUTES);
  state.returns.set(token, { user_id, email_id, provider, subject, challenge, values, expiresAt });
  return withToken(isNew ? redirects.signup_redirect_url : redirects.login_redirect_url, token, 'oauth');
}

/** The user with this subject; else the user with the same address, verified on both sides; else a new user. */
function findOrRegister(
  state: ServerState,
  provider_type: string,
  provider_subject: string,
  account: FakeAccount,
): { readonly user_id: string; readonly isNew: boolean } {
  const matches = (one: OAuthRegistration): boolean =>
    one.provider_type === provider_type && one.provider_subject === provider_subject;
  const known = [...state.users.values()].find(({ providers }) => providers.some(matches));
  if (known !== undefined) return { user_id: known.user_id, isNew: false };
  const { user_id, isNew } = userOf(state, account);
  const oauth_user_registration_id = state.id('oauth-user');
  const picture = { profile_picture_url: '', locale: 'en' };
  const registration = { oauth_user_registration_id, provider_type, provider_subject, ...picture };
  change(state, user_id, { providers: [...readUser(state, user_id).providers, registration] });
  return { user_id, isNew };
}

function userOf(state: ServerState, { email, email_verified = true }: FakeAccount) {
  if (!email_verified) return { user_id: newUser(state, 'active').user_id, isNew: true };
  const known = findEmail(state, email);
  const { email_id, user_id } = known ?? findOrCreateEmail(state, email, 'active');
  confirmEmail(state, email_id);
  return { user_id, isNew: known === undefined || known.status === 'pending' };
}

/** Social logins after the return from the provider, and Google One Tap. */
export function answerOAuth(answers: Answers, state: ServerState): void {
  const live = (token: string): OAuthReturn => {
    const found = state.live(state.returns, token);
    if (found === undefined) throw new Refusal('oauth_token_not_found');
    return found;
  };

  answers
    .to(oauth.authenticate, async ({ token, code_verifier, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      await state.checkVerifier(live(token).challenge, code_verifier);
      const { user_id, email_id, provider, subject, values } = live(token);
      state.returns.delete(token);
      const registered = readUser(state, user_id).providers.find((one) => one.provider_subject === subject);
      if (registered === undefined) throw new Refusal('oauth_token_not_found');
      const { profile_picture_url, locale } = registered;
      return {
        ...logIn(state, { user_id, factor: FACTORS.oauth({ ...registered, email_id }), minutes, caller }),
        provider_subject: subject,
        provider_type: provider,
        profile_picture_url,
        locale,
        provider_values: values,
      };
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
      const chosen = { email, email_verified: email_verified !== false };
      const finishing = { provider: 'google', account: chosen, redirects, values, challenge: challenge ?? null };
      const redirect_url = finish(state, finishing);
      return { redirect_url };
    });
}
