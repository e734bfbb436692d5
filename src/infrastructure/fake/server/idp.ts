import { idp, users, type BodyFor, type ScopeResult } from '../../../application/api/index.ts';
import { AccessPolicy } from '../../../domain/rbac.ts';
import { isRecord } from '../../../domain/shape.ts';
import type { Session } from '../../../domain/session.ts';
import type { User } from '../../../domain/user.ts';
import type { Answers, Caller } from './answers.ts';
import { readUser } from './people.ts';
import { checkPrompt, deliverable, isSilent } from './idp-prompt.ts';
import { checkVerifier } from './pkce.ts';
import { Refused } from './refused.ts';
import { requireSession, sessionOf } from './sign-in.ts';
import type { ServerState } from './state.ts';
import type { AuthorizationCode, FakeClient } from './tables.ts';

type Start = BodyFor<typeof idp.authorizeStart>;
type Submit = BodyFor<typeof idp.authorizeSubmit>;

const CODE_MINUTES = 1;
const ACCESS_TOKEN_MINUTES = 60;

const STANDARD_SCOPES: Readonly<Record<string, string>> = {
  openid: 'Sign you in',
  profile: 'View your name and picture',
  email: 'View your email address',
  phone: 'View your phone number',
  full_access: 'Do everything that you can do yourself',
  offline_access: 'Keep this access while you are away',
};

/** Never a default: a client lists them. */
const LISTED_SCOPES: ReadonlySet<string> = new Set(['full_access', 'offline_access']);

interface CustomScope {
  readonly scope: string;
  readonly description: string;
  readonly permissions: readonly { readonly resource_id: string; readonly actions: readonly string[] }[];
}

function customScopes({ project }: ServerState): readonly CustomScope[] {
  const policy = project['rbac_policy'];
  return isRecord(policy) && Array.isArray(policy['scopes']) ? (policy['scopes'] as readonly CustomScope[]) : [];
}

/** Every scope that was asked for, once each, and whether this user may grant it. */
function scopeResults(state: ServerState, { scopes: own }: FakeClient, { roles }: User, asked: readonly string[]) {
  const custom = customScopes(state);
  const all = [...Object.keys(STANDARD_SCOPES), ...custom.map(({ scope }) => scope)];
  const known = own ?? all.filter((scope) => !LISTED_SCOPES.has(scope));
  const policy = new AccessPolicy(state.project['rbac_policy']);
  return [...new Set(asked)].map((scope): ScopeResult => {
    if (!known.includes(scope)) throw new Refused('invalid_scope');
    const found = custom.find((each) => each.scope === scope);
    const is_grantable = (found?.permissions ?? []).every(({ resource_id, actions }) =>
      actions.every((action) => policy.isAuthorized(roles, resource_id, action)),
    );
    return { scope, is_grantable, description: found?.description ?? STANDARD_SCOPES[scope] ?? '' };
  });
}

function typeOf({ first_party, client_type }: FakeClient): string {
  return `${first_party ? 'first_party' : 'third_party'}${client_type === 'public' ? '_public' : ''}`;
}

function withQuery(uri: string, fields: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

const consentKey = (userId: string, clientId: string): string => `${userId} ${clientId}`;

/** What an app sends to the token endpoint. */
export interface CodeExchange {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly code: string;
  readonly code_verifier: string;
}

/** What the token endpoint answers an app; throws for a code that is not for this request. */
export async function exchangeCode(
  state: ServerState,
  { code, code_verifier, client_id, redirect_uri }: CodeExchange,
): Promise<{ readonly access_token: string; readonly id_token: string }> {
  const live = (): AuthorizationCode => {
    const found = state.authorizationCodes.get(code);
    const fits = found?.client_id === client_id && found.redirect_uri === redirect_uri;
    if (found === undefined || !fits || found.expiresAt <= state.now()) throw new Refused('invalid_access_token');
    return found;
  };
  await checkVerifier(state, live().challenge, code_verifier);
  const { user_id, scopes, session_id } = live();
  state.authorizationCodes.delete(code);
  const access_token = `access-token-${state.next()}`;
  state.accessTokens.set(access_token, { user_id, client_id, scopes, expiresAt: state.in(ACCESS_TOKEN_MINUTES) });
  return { access_token, id_token: `id-token:${client_id}:${session_id}` };
}

/** What is done, or what takes the place of a refusal that an app is told. */
function unless<T, U>(silent: boolean, work: () => T, told: (error: { readonly error: string }) => U): T | U {
  try {
    return work();
  } catch (thrown) {
    if (!silent) throw thrown;
    return told(deliverable(thrown));
  }
}

/** This project as the authorization server of other apps, and what users let those do. */
export function answerIdp(answers: Answers, state: ServerState): void {
  const clientOf = (id: string): FakeClient => {
    const client = state.settings.clients.find(({ client_id }) => client_id === id);
    if (client === undefined) throw new Refused('connected_app_not_found');
    return client;
  };
  const clientFor = (body: Start): FakeClient => {
    const client = clientOf(body.client_id);
    if (!client.redirect_uris.includes(body.redirect_uri)) throw new Refused('invalid_redirect_uri');
    return client;
  };
  const consentOf = (userId: string, clientId: string) => state.consents.get(consentKey(userId, clientId));
  const asked = (body: Start, client: FakeClient, session: Session) => {
    if (body.response_type !== 'code') throw new Refused('unsupported_response_type');
    const user = readUser(state, session.user_id);
    const results = scopeResults(state, client, user, body.scopes);
    const wanted = checkPrompt(state.now(), body.prompt, session);
    const granted = consentOf(user.user_id, client.client_id)?.scopes ?? [];
    const grantable = results.filter(({ is_grantable }) => is_grantable).map(({ scope }) => scope);
    const before = grantable.length > 0 && grantable.every((scope) => granted.includes(scope));
    return { results, grantable, asks: wanted || !(client.first_party || before) };
  };
  /** What an app is answered in its redirect URI. */
  const answered = (body: Submit, client: FakeClient, caller: Caller): Readonly<Record<string, string>> => {
    const { session } = requireSession(state, caller);
    const { results, grantable: scopes, asks } = asked(body, client, session);
    const { redirect_uri, code_challenge: challenge } = body;
    if (challenge === undefined && client.client_type === 'public') throw new Refused('pkce_code_challenge_required');
    if (!body.consent_granted) return { error: 'access_denied' };
    if (asks && isSilent(body.prompt)) throw new Refused('consent_required');
    if (scopes.length === 0 && results.length > 0) throw new Refused('invalid_scope');
    const { user_id, session_id } = session;
    const { client_id } = client;
    const granted = [...new Set([...(consentOf(user_id, client_id)?.scopes ?? []), ...scopes])];
    state.consents.set(consentKey(user_id, client_id), { user_id, client_id, scopes: granted });
    const code = `authorization-code-${state.next()}`;
    const expiresAt = state.in(CODE_MINUTES);
    const request = { user_id, client_id, scopes, session_id, redirect_uri, challenge, expiresAt };
    state.authorizationCodes.set(code, request);
    return { code };
  };

  answers
    .to(idp.authorizeStart, (body, caller) => {
      const { session } = requireSession(state, caller);
      const client = clientFor(body);
      const user = readUser(state, session.user_id);
      const silent = isSilent(body.prompt);
      const nothing = () => ({ results: [], asks: false });
      const { results, asks } = unless(silent, () => asked(body, client, session), nothing);
      return {
        user_id: user.user_id,
        user,
        client: {
          client_id: client.client_id,
          client_type: typeOf(client),
          client_name: client.name,
          client_description: client.description,
          client_logo_url: client.logo_url,
        },
        consent_required: asks && !silent,
        scope_results: results,
      };
    })
    .to(idp.authorizeSubmit, (body, caller) => {
      const silent = isSilent(body.prompt);
      if (!silent) requireSession(state, caller);
      const client = clientFor(body);
      const answer = unless(
        silent,
        () => answered(body, client, caller),
        (error): Readonly<Record<string, string>> => ({ ...error }),
      );
      const target = withQuery(body.redirect_uri, { ...answer, state: body.state, iss: caller.server });
      return { redirect_uri: target, ...(answer['code'] === undefined ? {} : { authorization_code: answer['code'] }) };
    })
    .to(idp.logoutStart, ({ client_id, post_logout_redirect_uri: uri, id_token_hint: hint, state: echoed }, caller) => {
      if (!clientOf(client_id).post_logout_redirect_uris.includes(uri)) {
        throw new Refused('invalid_post_logout_redirect_uri');
      }
      const start = `id-token:${client_id}:`;
      if (hint !== undefined && !hint.startsWith(start)) throw new Refused('invalid_id_token_hint');
      const session = sessionOf(state, caller)?.session;
      const known = session !== undefined && hint === `${start}${session.session_id}`;
      return { consent_required: !known, redirect_uri: withQuery(uri, { state: echoed }) };
    })
    .to(users.connectedApps, (_, caller) => {
      const { user_id } = requireSession(state, caller).session;
      const granted = [...state.consents.values()].filter((consent) => consent.user_id === user_id);
      const connected_apps = granted.flatMap(({ client_id, scopes }) => {
        const app = state.settings.clients.find((client) => client.client_id === client_id);
        if (app === undefined) return [];
        const { name, description, logo_url } = app;
        const scopes_granted = scopes.join(' ');
        return [{ connected_app_id: client_id, name, description, client_type: typeOf(app), logo_url, scopes_granted }];
      });
      return { connected_apps };
    })
    .to(users.revokeConnectedApp, (_, caller, { id }) => {
      const { user_id } = requireSession(state, caller).session;
      if (!state.consents.delete(consentKey(user_id, id))) throw new Refused('connected_app_not_found');
      for (const tokens of [state.accessTokens, state.authorizationCodes]) {
        for (const [key, token] of tokens) if (token.user_id === user_id && token.client_id === id) tokens.delete(key);
      }
      return {};
    });
}
