import { createHash, randomBytes } from 'node:crypto';
import { projectFrom } from '#provider/project/settings/project.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import type { Fields, Provider } from '../kit/harness.ts';

/** A project with three apps, and the steps of signing a user in to them. */

export const CALLBACK = 'https://planner.example/callback?from=portico%20demo';
export const LOOPBACK = 'http://127.0.0.1:5000/back';
export const SECRET = 'a-secret-of-the-server';

export const project = projectFrom({
  issuer: 'https://login.example',
  clients: [
    {
      client_id: 'planner',
      client_type: 'public',
      name: 'Planner',
      description: 'Plans.',
      redirect_uris: [CALLBACK, LOOPBACK],
      post_logout_redirect_uris: ['https://planner.example/bye'],
      scopes: ['openid', 'profile', 'email', 'phone', 'full_access', 'write:documents', 'purge'],
    },
    {
      client_id: 'server',
      client_type: 'confidential',
      client_secret_hash: tokenHash(SECRET),
      pkce_required: false,
      name: 'Server',
      redirect_uris: [CALLBACK],
      scopes: ['openid', 'email'],
    },
    { client_id: 'own', client_type: 'public', name: 'Own', redirect_uris: [CALLBACK], first_party: true },
  ],
  rbac_policy: {
    roles: [{ role_id: 'editor', permissions: [{ resource_id: 'documents', actions: ['read', 'write'] }] }],
    resources: [{ resource_id: 'documents', actions: ['read', 'write', 'delete'] }],
    scopes: [
      {
        scope: 'write:documents',
        description: 'Change your documents',
        permissions: [{ resource_id: 'documents', actions: ['write'] }],
      },
      {
        scope: 'purge',
        description: 'Delete your documents',
        permissions: [{ resource_id: 'documents', actions: ['delete'] }],
      },
    ],
  },
  role_assignments: [{ email: 'Edith@example.com', roles: ['editor'] }],
});

export const verifier = randomBytes(32).toString('base64url');
export const challenge = createHash('sha256').update(verifier).digest('base64url');

export const REQUEST = {
  client_id: 'planner',
  redirect_uri: CALLBACK,
  response_type: 'code',
  scopes: ['openid', 'email'],
};

/** @param user whose session a step uses, unless it is given another one */
export function appSteps(provider: () => Provider, user: () => Fields) {
  const as = (user: Fields) => ({ session: String(user['session_token']) });
  const start = (fields: Fields = {}, by = user()) =>
    provider().post('/idp/oauth/authorize/start', { ...REQUEST, ...fields }, as(by));
  const submit = (fields: Fields = {}, by = user()) =>
    provider().post(
      '/idp/oauth/authorize/submit',
      { ...REQUEST, code_challenge: challenge, consent_granted: true, ...fields },
      as(by),
    );
  const token = async (fields: Fields, headers: Record<string, string> = {}) => {
    const form = { grant_type: 'authorization_code', client_id: 'planner', redirect_uri: CALLBACK, ...fields };
    const given = Object.entries(form).filter(([, value]) => value !== undefined);
    const reply = await provider().app.request('/oauth2/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(given).toString(),
    });
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Fields };
  };
  const codeOf = async (fields: Fields = {}, by = user()) =>
    String((await submit(fields, by)).data['authorization_code']);
  const exchange = (access_token: string, session?: string) =>
    provider().post(
      '/sessions/exchange_access_token',
      { access_token, session_duration_minutes: 30 },
      session === undefined ? {} : { session },
    );
  return { as, start, submit, token, codeOf, exchange };
}
