import type { Fields } from './harness.ts';
import { askedIn, CALLBACK, challenge, ISSUER, verifier, visited, type Apps } from './idp-harness.ts';

export const FILES = 'https://files.example/mcp';
export const MAIL = 'https://mail.example';
/** For the project file. */
export const RESOURCES = [
  { resource: FILES, name: 'Files', introspection_client_id: 'server' },
  { resource: MAIL, scopes: ['purge'] },
];

/** The steps of an app that names the API for which it wants a token. */
export function resourceSteps(apps: () => Apps) {
  const arrive = async (fields: readonly (readonly [string, string])[], scope = 'openid write offline_access') => {
    const request = { client_id: 'planner', redirect_uri: CALLBACK, response_type: 'code', scope };
    const query = new URLSearchParams({ ...request, code_challenge: challenge });
    for (const [name, value] of fields) query.append(name, value);
    const { location } = await visited(apps().provider, new URL(`${ISSUER}/oauth2/authorize?${query.toString()}`));
    return location ?? new URL('about:blank');
  };
  /** What the page gets of a request for these APIs. */
  const asked = async (resources: readonly string[], scope?: string) => {
    const named = resources.map((each) => ['resource', each] as const);
    return askedIn(await arrive(named, scope));
  };
  /** The code that the user lets the app have. */
  const allow = async (resources: readonly string[], scope?: string, user?: Fields) =>
    String((await apps().submit(await asked(resources, scope), user)).data['authorization_code']);
  /** A form with `resource` as often as it is given. */
  const post = async (path: string, fields: Record<string, string>, resources: readonly string[] = []) => {
    const body = new URLSearchParams({ client_id: 'planner', ...fields });
    for (const resource of resources) body.append('resource', resource);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = { method: 'POST', headers, body: body.toString() };
    const reply = await apps().provider.app.request(`${ISSUER}/oauth2${path}`, request);
    return { status: reply.status, body: (await reply.json()) as Fields };
  };
  const redeem = (code: string, resources?: readonly string[]) =>
    post(
      '/token',
      { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier },
      resources,
    );
  const refresh = (refresh_token: string, resources?: readonly string[]) =>
    post('/token', { grant_type: 'refresh_token', refresh_token }, resources);
  return { arrive, asked, allow, post, redeem, refresh };
}
