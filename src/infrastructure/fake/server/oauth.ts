import { oauth } from '../../../application/api/index.ts';
import { OAUTH_PROVIDERS } from '../../../domain/oauth-providers.ts';
import { parseJson } from '../../../domain/json.ts';
import { isRecord } from '../../../domain/shape.ts';
import type { OAuthRegistration } from '../../../domain/user.ts';
import type { Answers } from './answers.ts';
import { change, confirmEmail, findEmail, findOrCreateEmail, newUser, readUser } from './people.ts';
import { checkChallenge, checkVerifier } from './pkce.ts';
import { Refused } from './refused.ts';
import { checkDuration, logIn } from './sign-in.ts';
import type { ServerState } from './state.ts';
import type { FakeAccount, OAuthReturn } from './tables.ts';

const TOKEN_MINUTES = 5;
const CALLBACK_MINUTES = 30;
const SCOPES = ['openid', 'email', 'profile'];
const ID_TOKEN = 'fake-id-token:';

interface Redirects {
  readonly login: string;
  readonly signup: string;
}

function redirectsOf(state: ServerState, login: string | undefined, signup: string | undefined): Redirects {
  const { redirectUrls, defaultRedirectUrl } = state.settings;
  const registered = (url = defaultRedirectUrl): string => {
    if (redirectUrls === null || redirectUrls.includes(url)) return url;
    throw new Refused('no_match_for_provided_oauth_url');
  };
  return { login: registered(login), signup: registered(signup) };
}

/** The address that a social login comes back to when the person chooses that account. Throws what the server refuses. */
export function returnFrom(state: ServerState, startUrl: string, account: FakeAccount): string {
  const { pathname, searchParams } = new URL(startUrl);
  const provider = /^\/v1\/public\/oauth\/([a-z]+)\/start$/u.exec(pathname)?.[1] ?? '';
  if (!Object.hasOwn(OAUTH_PROVIDERS, provider)) throw new Refused('oauth_config_not_found');
  const text = (name: string): string | undefined => (searchParams.get(name) ?? '') || undefined;
  const redirects = redirectsOf(state, text('login_redirect_url'), text('signup_redirect_url'));
  checkChallenge(state, 'pkce_required_for_oauth', text('code_challenge'));
  const custom = (text('custom_scopes') ?? '').split(' ').filter((scope) => scope !== '');
  const scopes = [...SCOPES, ...custom];
  return finish(state, { provider, account, redirects, scopes, challenge: text('code_challenge') });
}

/** What One Tap gives a page when the person chooses that account. */
export function idTokenOf(account: FakeAccount): string {
  return ID_TOKEN + JSON.stringify(account);
}

interface Finishing extends Pick<OAuthReturn, 'provider' | 'scopes' | 'challenge'> {
  readonly account: FakeAccount;
  readonly redirects: Redirects;
}

function finish(state: ServerState, { provider, account, redirects, scopes, challenge }: Finishing): string {
  const subject = `${provider}-subject-of-${account.email.toLowerCase()}`;
  const { user_id, isNew } = findOrRegister(state, provider, subject, account);
  const token = `oauth-token-${state.next()}`;
  const expiresAt = state.in(TOKEN_MINUTES);
  state.returns.set(token, { user_id, provider, subject, challenge, scopes, expiresAt });
  const url = new URL(isNew ? redirects.signup : redirects.login);
  url.searchParams.set('stytch_token_type', 'oauth');
  url.searchParams.set('token', token);
  return url.href;
}

/** Known by the subject, linked by an address that both sides have verified, or new. */
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
  if (known?.verified === true) return { user_id: known.user.user_id, isNew: false };
  if (known?.user.status === 'active') {
    const { user_id, emails } = known.user;
    change(state, user_id, { emails: emails.filter(({ email_id }) => email_id !== known.email_id) });
  }
  const { email_id, user } = findOrCreateEmail(state, email, 'active');
  confirmEmail(state, email_id, null);
  return { user_id: user.user_id, isNew: true };
}

/** Social logins after the way back, and Google One Tap. */
export function answerOAuth(answers: Answers, state: ServerState): void {
  const live = (token: string): OAuthReturn => {
    const found = state.returns.get(token);
    if (found === undefined || found.expiresAt <= state.now()) throw new Refused('oauth_token_not_found');
    return found;
  };

  answers
    .to(oauth.authenticate, async ({ token, code_verifier, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      await checkVerifier(state, live(token).challenge, code_verifier);
      const { user_id, provider, subject, scopes } = live(token);
      state.returns.delete(token);
      const registered = readUser(state, user_id).providers.find((one) => one.provider_subject === subject);
      const factor = {
        type: 'oauth',
        delivery_method: `oauth_${provider}`,
        [`${provider}_oauth_factor`]: {
          id: registered?.oauth_user_registration_id ?? '',
          provider_subject: subject,
        },
      };
      return {
        ...logIn(state, { user_id, factor, minutes, caller }),
        provider_subject: subject,
        provider_type: provider,
        profile_picture_url: '',
        locale: 'en',
        provider_values: {
          access_token: `${provider}-access-token`,
          id_token: `${provider}-id-token`,
          refresh_token: '',
          scopes,
          expires_at: new Date(state.in(60)).toISOString(),
        },
      };
    })
    .to(oauth.oneTapStart, () => {
      const oauth_callback_id = `oauth-callback-${state.next()}`;
      state.callbacks.set(oauth_callback_id, state.in(CALLBACK_MINUTES));
      return { google_client_id: 'google-client-fake', oauth_callback_id };
    })
    .to(oauth.oneTapSubmit, ({ id_token, oauth_callback_id, code_challenge: challenge, ...body }) => {
      const redirects = redirectsOf(state, body.login_redirect_url, body.signup_redirect_url);
      checkChallenge(state, 'pkce_required_for_oauth', challenge);
      const account = id_token.startsWith(ID_TOKEN) ? parseJson(id_token.slice(ID_TOKEN.length)) : undefined;
      if (!isRecord(account) || typeof account['email'] !== 'string') throw new Refused('invalid_client');
      const isLive = (state.callbacks.get(oauth_callback_id) ?? 0) > state.now();
      state.callbacks.delete(oauth_callback_id);
      if (!isLive) throw new Refused('oauth_flow_callback_error');
      const { email } = account;
      const chosen = { email, email_verified: account['email_verified'] !== false };
      const redirect_url = finish(state, { provider: 'google', account: chosen, redirects, scopes: SCOPES, challenge });
      return { redirect_url };
    });
}
