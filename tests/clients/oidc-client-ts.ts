import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import type { Person } from './mcp-agent.ts';

/** A public client, as a page has one. */
export interface PublicClient {
  readonly issuer: URL;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly post_logout_redirect_uri: string;
  readonly person: Person;
}

/** Signs in, reads the claims, refreshes, and logs out with and without an address to come back to. */
export async function pageLogin({ issuer, person, ...settings }: PublicClient) {
  const client = new OidcClient({
    ...settings,
    authority: issuer.origin,
    scope: 'openid email offline_access',
    loadUserInfo: true,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  });
  const request = await client.createSigninRequest({ state: { page: 3 } });
  const signedIn = await client.processSigninResponse((await person(new URL(request.url))).href);
  const refreshed = await client.useRefreshToken({
    state: {
      refresh_token: signedIn.refresh_token ?? '',
      id_token: signedIn.id_token ?? '',
      session_state: null,
      scope: signedIn.scope ?? '',
      profile: signedIn.profile,
      data: undefined,
    },
  });
  const logout = await client.createSignoutRequest({ id_token_hint: refreshed.id_token ?? signedIn.id_token ?? '' });
  await client.revokeToken(refreshed.refresh_token ?? '', 'refresh_token');
  return {
    profile: signedIn.profile,
    state: signedIn.userState,
    isOther: refreshed.access_token !== signedIn.access_token,
    logout: new URL(logout.url),
    signedOut: async (answer: URL) => client.processSignoutResponse(answer.href),
  };
}
