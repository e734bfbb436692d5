import type { BodyFor } from '../../../src/application/api/index.ts';
import type { idp as endpoints } from '../../../src/application/api/idp.ts';
import {
  authorizationError,
  isLasting,
  isSilent,
  judgeRequest,
  scopesToGrant,
  type Authorizing,
  type JudgedRequest,
} from '../../../src/domain/rules/authorization.ts';
import {
  checkPostLogoutRedirectUri,
  checkRedirectUri,
  clientOf,
  withQuery,
} from '../../../src/domain/rules/connected-apps.ts';
import { requireOwn } from '../../../src/domain/rules/delegates.ts';
import { lastLogin } from '../../../src/domain/rules/factors.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { requireApp } from './apps.ts';
import { issueCode } from './codes.ts';
import { extendGrant, findGrant } from './grants.ts';
import { issuerOf } from './issuer.ts';
import { readIdTokenHint } from './read-tokens.ts';
import type { ConnectedAppSettings } from '../project/access.ts';
import { holdSession, withSession, type Caller, type CurrentSession } from '../sessions/current.ts';
import type { Services } from '../services.ts';
import { requireSecondFactor } from '../sessions/second-factor.ts';
import { readUserWithRoles } from '../users/read-user.ts';

type Start = BodyFor<typeof endpoints.authorizeStart>;
type Submit = BodyFor<typeof endpoints.authorizeSubmit>;

/** The app, after its redirect URI is checked: nothing is sent to a redirect URI before that (RFC 9700, section 4.11). */
async function clientFor(services: Services, { client_id, redirect_uri }: Start): Promise<ConnectedAppSettings> {
  const client = await requireApp(services, client_id);
  checkRedirectUri(client, redirect_uri);
  return client;
}

/** The input of the rules: the app, the user's roles and the scopes that the user granted before. */
async function authorizing(services: Services, client: ConnectedAppSettings, session: CurrentSession) {
  const { project, db, clock } = services;
  const user = await readUserWithRoles(project, db, session.user_id);
  const granted = (await findGrant(db, user.user_id, client.client_id))?.scopes ?? [];
  return { project, client, user, roles: user.roles, session, granted, now: clock.now() };
}

/** Issues a code, bound to everything that the token endpoint will check. */
async function grant(
  services: Services,
  current: CurrentSession,
  client: ConnectedAppSettings,
  body: Submit,
  scopes: readonly string[],
): Promise<string> {
  return transaction(services.db, async (tx) => {
    const { session } = await holdSession(services, tx, current);
    const { user_id, session_id } = session;
    // Such an app can renew its access alone, which makes it as powerful as a login factor.
    if (isLasting(scopes)) await requireSecondFactor(tx, user_id, session);
    return issueCode(services, tx, {
      grant_id: await extendGrant(services, tx, { user_id, client, scopes }),
      session_id,
      redirect_uri: body.redirect_uri,
      code_challenge: body.code_challenge ?? null,
      nonce: body.nonce ?? null,
      scopes,
      auth_time: lastLogin(session) ?? session.started_at,
    });
  });
}

/** The fields of the authorization response (RFC 6749, section 4.1.2). */
async function answered(services: Services, caller: Caller, client: ConnectedAppSettings, body: Submit) {
  const session = await caller.session.require();
  const by = await authorizing(services, client, session);
  const scopes = scopesToGrant(body, by, judgeRequest(body, by));
  if (scopes === null) return { error: 'access_denied' };
  return { code: await grant(services, session, client, body, scopes) };
}

/** With `silent`, an error that is meant for the app is not thrown here: the submission reports it. */
function judgedUnless(silent: boolean, body: Start, by: Authorizing): Pick<JudgedRequest, 'asks' | 'results'> {
  try {
    return judgeRequest(body, by);
  } catch (error) {
    if (silent && authorizationError(error) !== null) return { asks: false, results: [] };
    throw error;
  }
}

export const idp: Routes['idp'] = {
  /** With `prompt=none` the user is not asked: the submission reports any obstacle to the app. */
  authorizeStart: withSession(async (services, { body, session }) => {
    const client = await clientFor(services, body);
    const by = await authorizing(services, client, session);
    const silent = isSilent(body.prompt);
    const { asks, results } = judgedUnless(silent, body, by);
    return {
      user_id: by.user.user_id,
      user: by.user,
      client: clientOf(client),
      consent_required: asks && !silent,
      scope_results: [...results],
    };
  }),

  /**
   * Scopes that cannot be granted are left out; if none remains, there is no code. An invalid request is refused here,
   * where a person can read the reason, unless `prompt=none` says that no person is there.
   */
  async authorizeSubmit(services, { body, caller }) {
    const silent = isSilent(body.prompt);
    const session = silent ? await caller.session.find() : await caller.session.require();
    if (session !== undefined) requireOwn(session);
    const client = await clientFor(services, body);
    const answer = await answered(services, caller, client, body).catch((error: unknown) => {
      const told = silent ? authorizationError(error) : null;
      if (told === null) throw error;
      return told;
    });
    const { state, redirect_uri } = body;
    // RFC 9207: tells the app which server answered.
    const target = withQuery(redirect_uri, { ...answer, state, iss: issuerOf(services.project, caller.origin) });
    return { redirect_uri: target, ...('code' in answer ? { authorization_code: answer.code } : {}) };
  },

  /** Logs out without asking only if the ID token hint belongs to the presented session. */
  async logoutStart(services, { body, caller }) {
    const client = await requireApp(services, body.client_id);
    const { post_logout_redirect_uri: uri, id_token_hint, state } = body;
    checkPostLogoutRedirectUri(client, uri);
    const hint = id_token_hint === undefined ? null : await readIdTokenHint(services, client.client_id, id_token_hint);
    if (id_token_hint !== undefined && hint === null) throw new Refusal('invalid_id_token_hint');
    const session = await caller.session.find();
    const known = hint !== null && hint.session_id === session?.session_id && hint.user_id === session.user_id;
    return { consent_required: !known, redirect_uri: withQuery(uri, { state }) };
  },
};
