import type { BodyFor } from '../../../src/application/api/index.ts';
import type { idp as endpoints } from '../../../src/application/api/idp.ts';
import { withRoles } from '../access/roles.ts';
import { transaction } from '../db/transaction.ts';
import type { Caller, Routes } from '../http/endpoints.ts';
import { Refusal } from '../http/refusal.ts';
import { checkRedirectUri, clientOf, findClient, scopeResults, withQuery } from '../idp/clients.ts';
import { extendGrant, findGrant, issueCode } from '../idp/grants.ts';
import { issuerOf } from '../idp/issuer.ts';
import { readIdTokenHint } from '../idp/tokens.ts';
import { checkChallenge } from '../security/pkce-check.ts';
import type { Services } from '../services.ts';
import { findSession } from '../store/sessions.ts';
import { readUser } from '../store/users.ts';
import { requireSession } from './authenticated.ts';

/** What every step of an authorization is checked for: nothing leaves for a redirect URI before that. */
async function checked(services: Services, caller: Caller, body: BodyFor<typeof endpoints.authorizeStart>) {
  const { row } = await requireSession(services, caller);
  const { project, db } = services;
  const client = findClient(project, body.client_id);
  checkRedirectUri(client, body.redirect_uri);
  if (body.response_type !== 'code') throw new Refusal('unsupported_response_type');
  const user = await withRoles(project, db, await readUser(db, row.user_id));
  return { row, user, client, results: scopeResults(project, client, user, body.scopes) };
}

export const idp: Routes['idp'] = {
  async authorizeStart(services, { body, caller }) {
    const { user, client, results } = await checked(services, caller, body);
    const granted = (await findGrant(services.db, user.user_id, client.client_id))?.scopes ?? null;
    const asks = (body.prompt ?? '').split(' ').includes('consent');
    const before = granted !== null && results.every(({ scope }) => granted.includes(scope));
    return {
      user_id: user.user_id,
      user,
      client: clientOf(client),
      consent_required: asks || !(client.first_party || before),
      scope_results: results,
    };
  },

  /** What cannot be granted is left out; with nothing left of what was asked for, there is no code. */
  async authorizeSubmit(services, { body, caller }) {
    const { row, user, client, results } = await checked(services, caller, body);
    const { redirect_uri, state } = body;
    const iss = issuerOf(services.project, caller.origin);
    checkChallenge(body.code_challenge, client.client_type === 'public');
    if (!body.consent_granted) {
      return { redirect_uri: withQuery(redirect_uri, { error: 'access_denied', state, iss }) };
    }
    const scopes = results.filter((result) => result.is_grantable).map(({ scope }) => scope);
    if (scopes.length === 0 && results.length > 0) throw new Refusal('invalid_scope');
    const code = await transaction(services.db, async (tx) => {
      const grant = { user_id: user.user_id, client_id: client.client_id, scopes };
      return issueCode(services, tx, {
        grant_id: await extendGrant(services, tx, grant),
        session_id: row.session_id,
        redirect_uri,
        code_challenge: body.code_challenge ?? null,
        nonce: body.nonce ?? null,
        scopes,
        auth_time: row.started_at,
      });
    });
    return { redirect_uri: withQuery(redirect_uri, { code, state, iss }), authorization_code: code };
  },

  /** Only who can show an ID token of the very session that is presented logs out unasked. */
  async logoutStart(services, { body, caller }) {
    const client = findClient(services.project, body.client_id);
    const { post_logout_redirect_uri: uri, id_token_hint, state } = body;
    if (!client.post_logout_redirect_uris.includes(uri)) throw new Refusal('invalid_post_logout_redirect_uri');
    const hint = id_token_hint === undefined ? null : await readIdTokenHint(services, client.client_id, id_token_hint);
    if (id_token_hint !== undefined && hint === null) throw new Refusal('invalid_id_token_hint');
    const row = caller.session === null ? undefined : await findSession(services, services.db, caller.session);
    const known = hint !== null && row !== undefined && hint.session_id === row.session_id;
    return { consent_required: !known, redirect_uri: withQuery(uri, { state }) };
  },
};
