import type { BodyFor } from '../../../src/application/api/index.ts';
import type { idp as endpoints } from '../../../src/application/api/idp.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { Refusal } from '../http/refusal.ts';
import { deliverable } from './authorization-error.ts';
import {
  checkPostLogoutRedirectUri,
  checkRedirectUri,
  clientOf,
  couldBeAnother,
  findClient,
  scopeResults,
  withQuery,
} from './clients.ts';
import { issueCode } from './codes.ts';
import { extendGrant, findGrant } from './grants.ts';
import { issuerOf } from './issuer.ts';
import { isFresh, isSilent, lastLogin, loginAgeMs, promptsIn } from './prompt.ts';
import { readIdTokenHint } from './read-tokens.ts';
import type { ConnectedAppSettings } from '../project/access.ts';
import { checkChallenge } from '../security/pkce-check.ts';
import {
  delegateRefusal,
  holdSession,
  isDelegated,
  withSession,
  type Caller,
  type CurrentSession,
} from '../sessions/current.ts';
import type { Services } from '../services.ts';
import { requireSecondFactor } from '../sessions/second-factor.ts';
import { readUserWithRoles } from '../users/read-user.ts';

/** Scopes that let an app act without the user, or do everything that the user can. */
const LASTING_SCOPES: ReadonlySet<string> = new Set(['offline_access', 'full_access']);

type Start = BodyFor<typeof endpoints.authorizeStart>;
type Submit = BodyFor<typeof endpoints.authorizeSubmit>;

/** The app, and that the answer may go there: nothing leaves for a redirect URI before that (RFC 9700, section 4.11). */
function clientFor({ project }: Services, { client_id, redirect_uri }: Start): ConnectedAppSettings {
  const client = findClient(project, client_id);
  checkRedirectUri(client, redirect_uri);
  return client;
}

async function signedIn(services: Services, session: CurrentSession) {
  const { project, db } = services;
  return { session, user: await readUserWithRoles(project, db, session.user_id) };
}

/** The requested scopes, and whether the user must consent. Refuses an invalid request. */
async function asked(
  services: Services,
  client: ConnectedAppSettings,
  { session, user }: Awaited<ReturnType<typeof signedIn>>,
  body: Start,
) {
  const { project, db, clock } = services;
  if (body.response_type !== 'code') throw new Refusal('unsupported_response_type');
  const prompts = promptsIn(body.prompt);
  const results = scopeResults(project, client, user, body.scopes);
  const age = loginAgeMs(prompts, body.max_age);
  if (age !== null && !isFresh(clock.now(), session, age)) throw new Refusal('login_required');
  const granted = (await findGrant(db, user.user_id, client.client_id))?.scopes ?? [];
  const grantable = results.filter(({ is_grantable }) => is_grantable).map(({ scope }) => scope);
  const before = grantable.length > 0 && grantable.every((scope) => granted.includes(scope));
  const known = !couldBeAnother(project, client, body.redirect_uri) && (client.first_party || before);
  const asks = prompts.has('consent') || prompts.has('select_account') || !known;
  return { results, grantable, asks };
}

/** A code for the app, bound to all that it will be asked for again. */
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
    if (scopes.some((scope) => LASTING_SCOPES.has(scope))) await requireSecondFactor(tx, user_id, session);
    return issueCode(services, tx, {
      grant_id: await extendGrant(services, tx, { user_id, client_id: client.client_id, scopes }),
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
  const mine = await signedIn(services, session);
  const { results, grantable, asks } = await asked(services, client, mine, body);
  const { code_challenge_method: method = 'S256' } = body;
  // RFC 7636, section 4.4.1. One that is absent means plain there; OAuth 2.1 knows only S256.
  if (method !== 'S256') throw new Refusal('unsupported_code_challenge_method');
  checkChallenge(body.code_challenge, client.client_type === 'public' || client.pkce_required);
  if (!body.consent_granted) return { error: 'access_denied' };
  if (isSilent(body.prompt) && asks) throw new Refusal('consent_required');
  if (grantable.length === 0 && results.length > 0) throw new Refusal('invalid_scope');
  return { code: await grant(services, session, client, body, grantable) };
}

export const idp: Routes['idp'] = {
  /** With `prompt=none` the user is not asked: the submission reports any obstacle to the app. */
  authorizeStart: withSession(async (services, { body, session }) => {
    const mine = await signedIn(services, session);
    const client = clientFor(services, body);
    const silent = isSilent(body.prompt);
    const { asks, results } = await asked(services, client, mine, body).catch((error: unknown) => {
      if (silent && deliverable(error) !== null) return { asks: false, results: [] };
      throw error;
    });
    return {
      user_id: mine.user.user_id,
      user: mine.user,
      client: clientOf(client),
      consent_required: asks && !silent,
      scope_results: [...results],
    };
  }),

  /**
   * Scopes that cannot be granted are left out; if none remains, there is no code. An invalid request is refused here,
   * where a person can read why, unless `prompt=none` says that no person is there.
   */
  async authorizeSubmit(services, { body, caller }) {
    const silent = isSilent(body.prompt);
    const session = silent ? await caller.session.find() : await caller.session.require();
    if (session !== undefined && isDelegated(session)) throw delegateRefusal(session);
    const client = clientFor(services, body);
    const answer = await answered(services, caller, client, body).catch((error: unknown) => {
      const told = silent ? deliverable(error) : null;
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
    const client = findClient(services.project, body.client_id);
    const { post_logout_redirect_uri: uri, id_token_hint, state } = body;
    checkPostLogoutRedirectUri(client, uri);
    const hint = id_token_hint === undefined ? null : await readIdTokenHint(services, client.client_id, id_token_hint);
    if (id_token_hint !== undefined && hint === null) throw new Refusal('invalid_id_token_hint');
    const session = await caller.session.find();
    const known = hint !== null && hint.session_id === session?.session_id && hint.user_id === session.user_id;
    return { consent_required: !known, redirect_uri: withQuery(uri, { state }) };
  },
};
