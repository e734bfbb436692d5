import { idp, users, type BodyFor } from '#application/api/index.ts';
import { authorizationError, isSilent, judgeRequest, scopesToGrant } from '#server-rules/authorization.ts';
import {
  checkPostLogoutRedirectUri,
  checkRedirectUri,
  clientOf,
  findClient,
  shownGrants,
  withQuery,
  type ConnectedApp,
} from '#server-rules/connected-apps.ts';
import { delegateRefusal, isDelegated } from '#domain/rules/delegates.ts';
import { isImpersonated } from '#domain/rules/factors.ts';
import { AUTHORIZATION_CODE_MINUTES } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { admit, requireSession } from '../state/admission.ts';
import type { Answers, Caller } from '../state/answers.ts';
import { authorizing, consentKey, grantCode, redeem, type AppTokens } from './app-grants.ts';
import { readUser, removeRows } from '../state/user-rows.ts';
import { sessionOf } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';
import type { AuthorizationCode } from '../state/tables.ts';

type Start = BodyFor<typeof idp.authorizeStart>;
type Submit = BodyFor<typeof idp.authorizeSubmit>;

/** An app's request to the token endpoint. */
export interface CodeExchange {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly code: string;
  readonly code_verifier: string;
}

/** Exchanges a code for tokens; throws for a code that does not belong to this request. */
export async function exchangeCode(
  state: ServerState,
  { code, code_verifier, client_id, redirect_uri }: CodeExchange,
): Promise<AppTokens> {
  const live = (): AuthorizationCode => {
    const found = state.live(state.authorizationCodes, code);
    if (found?.client_id === client_id && found.redirect_uri === redirect_uri) return found;
    throw new Refusal('invalid_access_token');
  };
  await state.checkVerifier(live().challenge, code_verifier);
  return redeem(state, code, live());
}

/** Runs the work. If `silent`, an authorization error goes to `told`, which reports it to the app; others are thrown. */
function unless<T, U>(silent: boolean, work: () => T, report: (error: Readonly<Record<string, string>>) => U): T | U {
  try {
    return work();
  } catch (cause) {
    const error = silent ? authorizationError(cause) : null;
    if (error === null) throw cause;
    return report({ ...error });
  }
}

/** The apps to which the user gave access. */
export function connectedAppsOf(state: ServerState, userId: string) {
  const granted = [...state.consents.values()].filter((consent) => consent.user_id === userId);
  return shownGrants(state.rules(), granted).map((app) => {
    const tokens = [...state.accessTokens.values()].filter(
      (token) => token.user_id === userId && token.client_id === app.connected_app_id,
    );
    if (tokens.length === 0) return app;
    return { ...app, last_used_at: new Date(Math.max(...tokens.map(({ issuedAt }) => issuedAt))).toISOString() };
  });
}

/** The project as the authorization server of connected apps, and the users' consents. */
export function answerIdp(answers: Answers, state: ServerState): void {
  const clientFor = (body: Start): ConnectedApp => {
    // There is no authorization endpoint that could have created a request.
    if (body.authorization_request !== undefined) throw new Refusal('invalid_authorization_request');
    const client = findClient(state.rules(), body.client_id);
    checkRedirectUri(client, body.redirect_uri);
    return client;
  };
  /** The parameters of the response in the app's redirect URI. */
  const responseParams = (body: Submit, client: ConnectedApp, caller: Caller): Readonly<Record<string, string>> => {
    const session = requireSession(state, caller, 'asked');
    const by = authorizing(state, client, session);
    const scopes = scopesToGrant(body, by, judgeRequest(body, by));
    if (scopes === null) return { error: 'access_denied' };
    const { redirect_uri, code_challenge: challenge = null } = body;
    const expiresAt = state.in(AUTHORIZATION_CODE_MINUTES);
    const code = grantCode(state, session, client.client_id, { scopes, redirect_uri, challenge, expiresAt });
    return { code };
  };

  answers
    .to(idp.authorizeStart, (body, caller) => {
      const session = requireSession(state, caller);
      const client = clientFor(body);
      const silent = isSilent(body.prompt);
      const { results, asks } = unless(
        silent,
        () => judgeRequest(body, authorizing(state, client, session)),
        () => ({ results: [], asks: false }),
      );
      return {
        user_id: session.user_id,
        user: readUser(state, session.user_id),
        client: clientOf(client),
        consent_required: asks && !silent,
        scope_results: results,
      };
    })
    .to(idp.authorizeSubmit, (body, caller) => {
      const silent = isSilent(body.prompt);
      admit(state, caller, silent ? 'silent' : 'asked');
      const client = clientFor(body);
      const answer = unless(
        silent,
        () => responseParams(body, client, caller),
        (error) => error,
      );
      const target = withQuery(body.redirect_uri, { ...answer, state: body.state, iss: caller.server });
      return { redirect_uri: target, ...(answer['code'] === undefined ? {} : { authorization_code: answer['code'] }) };
    })
    .to(idp.logoutStart, ({ client_id, post_logout_redirect_uri: uri, id_token_hint: hint, state: echoed }, caller) => {
      const [kind, hinted, sid] = hint?.split(':') ?? [];
      const isForeign = kind !== 'id-token' || (client_id !== undefined && client_id !== hinted);
      if (hint !== undefined && isForeign) throw new Refusal('invalid_id_token_hint');
      const client = client_id ?? (uri === undefined ? undefined : hinted);
      const app = client === undefined ? undefined : findClient(state.rules(), client);
      if (app !== undefined && uri !== undefined) checkPostLogoutRedirectUri(app, uri);
      const session = sessionOf(state, caller);
      const isOwnSession = session !== undefined && sid === session.session_id;
      const redirect_uri = app === undefined || uri === undefined ? '' : withQuery(uri, { state: echoed });
      return { consent_required: !isOwnSession, redirect_uri };
    })
    .to(users.connectedApps, (_, caller) => ({
      connected_apps: connectedAppsOf(state, requireSession(state, caller).user_id),
    }))
    .to(users.revokeConnectedApp, (_, caller, { id }) => {
      const session = requireSession(state, caller);
      const { user_id } = session;
      // An app may revoke its own consent, but not the consent of another app.
      const acts = [...state.accessTokens.values()].find(({ family_id }) => family_id === session.family_id);
      if (isDelegated(session) && (isImpersonated(session) || acts?.client_id !== id)) throw delegateRefusal(session);
      if (!state.consents.delete(consentKey(user_id, id))) throw new Refusal('connected_app_not_found');
      removeRows(state.authorizationCodes, user_id, ({ client_id }) => client_id === id);
      for (const token of state.accessTokens.values()) {
        if (token.user_id !== user_id || token.client_id !== id) continue;
        removeRows(state.sessions, user_id, ({ family_id }) => family_id === token.family_id);
      }
      removeRows(state.accessTokens, user_id, ({ client_id }) => client_id === id);
      return {};
    });
}
