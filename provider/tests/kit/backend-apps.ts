import { startBackend } from './backend.ts';
import type { Fields } from './harness.ts';
import { challenge, verifier } from './idp-harness.ts';

export const THERE = 'https://planner.example/callback';

/** A provider, the public backend SDK, and a user who grants apps access through it. */
export async function startBackendApps(...given: Parameters<typeof startBackend>) {
  const backend = await startBackend(...given);
  const { client, provider } = backend;
  const { project_id } = provider.services.project;
  await client.sessions.getJWKS({ project_id });
  const user = await provider.signIn('edith@example.com');
  const user_id = String(user['user_id']);

  const request = (client_id: string, fields: Fields = {}) => ({
    client_id,
    redirect_uri: THERE,
    response_type: 'code',
    scopes: ['openid', 'offline_access'],
    user_id,
    ...fields,
  });

  return {
    ...backend,
    user,
    user_id,

    make: async (client_type = 'third_party', fields: Fields = {}) =>
      (await client.connectedApp.clients.create({ client_type, redirect_urls: [THERE], ...fields })).connected_app,

    start: async (client_id: string, fields: Fields = {}) =>
      client.idp.oauth.authorizeStart(request(client_id, fields)),

    authorize: async (client_id: string, fields: Fields = {}) =>
      client.idp.oauth.authorize({
        ...request(client_id, fields),
        consent_granted: true,
        code_challenge: challenge,
        ...fields,
      }),

    /** A form to an endpoint of OAuth: where the SDK calls it, or where apps do. */
    async form(path: string, fields: Fields, at = `/v1/public/${project_id}/oauth2`) {
      const given = Object.entries(fields).filter(([, value]) => value !== undefined);
      return backend.raw('POST', `${at}${path}`, {
        body: new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString(),
        headers: { authorization: '', 'content-type': 'application/x-www-form-urlencoded' },
      });
    },

    redeem(app: { readonly client_id: string; readonly client_secret?: string }, code: unknown, at?: string) {
      const { client_id, client_secret } = app;
      const grant = { grant_type: 'authorization_code', redirect_uri: THERE, code_verifier: verifier };
      return this.form('/token', { ...grant, client_id, client_secret, code }, at);
    },

    /** The tokens of an app that the user has just granted access. */
    async tokensFor(app: { readonly client_id: string; readonly client_secret?: string }, fields: Fields = {}) {
      const { authorization_code } = await this.authorize(app.client_id, fields);
      return (await this.redeem(app, authorization_code)).body;
    },

    refresh(app: { readonly client_id: string; readonly client_secret?: string }, refresh_token: unknown) {
      const { client_id, client_secret } = app;
      return this.form('/token', { grant_type: 'refresh_token', client_id, client_secret, refresh_token });
    },
  };
}

export type BackendApps = Awaited<ReturnType<typeof startBackendApps>>;
