import { checkPostLogoutRedirectUri, clientOf, withQuery } from '../../../../src/domain/rules/connected-apps.ts';
import { isSilent } from '../../../../src/domain/rules/authorization.ts';
import { requireOwn } from '../../../../src/domain/rules/delegates.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Routes } from '../../accounts/sessions/contract.ts';
import { withSession } from '../../accounts/sessions/current.ts';
import { requireApp } from '../../project/connected-apps.ts';
import { inSession, startAuthorization, submitAuthorization } from './authorization.ts';
import { readIdTokenHint } from './read-tokens.ts';

export const idp: Routes['idp'] = {
  authorizeStart: withSession(async (services, { body, session }) => {
    const { user, client, ...asked } = await startAuthorization(services, body, inSession(session));
    return { user_id: user.user_id, user, client: clientOf(client), ...asked };
  }),

  async authorizeSubmit(services, { body, caller }) {
    const session = isSilent(body.prompt) ? await caller.session.find() : await caller.session.require();
    if (session !== undefined) requireOwn(session);
    const grantor = async () => inSession(await caller.session.require());
    return submitAuthorization(services, body, { caller, grantor });
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
