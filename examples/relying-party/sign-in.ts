/**
 * Another app that signs its users in with the project, by openid-client: a library that nobody here wrote.
 *
 * Authorization code with PKCE, `state` and `nonce` (OpenID Connect Core 1.0, section 3.1) and RP-initiated logout. A
 * sign-in is bound to the browser that began it. The app asks for nothing that outlives its user's visit: the demo
 * project lists no client for refresh tokens.
 */
import * as oidc from 'openid-client';
import type { Account } from './pages.ts';

export const CLIENT_ID = 'client-demo-relying-party';
const SCOPE = 'openid profile email';

/** What one browser holds here. */
export class Visitor {
  /** What the running sign-in must come back with. */
  begun: { readonly verifier: string; readonly state: string; readonly nonce: string } | null = null;
  account: (Account & { readonly idToken: string | undefined }) | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  /** Calls of one browser wait for each other: a sign-in is finished once. */
  async inTurn(work: () => unknown): Promise<void> {
    const done = this.#queue.then(work, work);
    this.#queue = done.catch(() => undefined);
    await done;
  }
}

export class SignIn {
  #config: oidc.Configuration | null = null;

  constructor(
    private readonly issuer: string,
    private readonly origin: string,
  ) {}

  /** The issuer's metadata, asked for once. Plain http is for loopback alone. */
  async config(): Promise<oidc.Configuration> {
    this.#config ??= await oidc.discovery(new URL(this.issuer), CLIENT_ID, undefined, oidc.None(), {
      execute: [oidc.allowInsecureRequests],
    });
    return this.#config;
  }

  /** Where the browser goes to sign in. */
  async begin(visitor: Visitor, { prompt }: { readonly prompt?: string } = {}): Promise<string> {
    const begun = {
      verifier: oidc.randomPKCECodeVerifier(),
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
    };
    const url = oidc.buildAuthorizationUrl(await this.config(), {
      redirect_uri: `${this.origin}/callback`,
      scope: SCOPE,
      code_challenge: await oidc.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      state: begun.state,
      nonce: begun.nonce,
      ...(prompt ? { prompt } : {}),
    });
    visitor.begun = begun;
    return url.href;
  }

  /** Takes the answer at the redirect URI. Throws openid-client's error for an invalid answer. */
  async finish(visitor: Visitor, url: URL): Promise<void> {
    const { begun } = visitor;
    visitor.begun = null;
    if (begun === null) throw new Error('This browser began no sign-in, or has finished it.');
    const tokens = await oidc.authorizationCodeGrant(await this.config(), url, {
      pkceCodeVerifier: begun.verifier,
      expectedState: begun.state,
      expectedNonce: begun.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('The answer holds no ID token.');
    const userInfo = await oidc.fetchUserInfo(await this.config(), tokens.access_token, claims.sub);
    visitor.account = { claims, userInfo, scope: tokens.scope ?? SCOPE, idToken: tokens.id_token };
  }

  /** Forgets the account here. Returns where the browser goes to end the session there too. */
  async leave(visitor: Visitor): Promise<string> {
    const idToken = visitor.account?.idToken;
    visitor.account = null;
    const url = oidc.buildEndSessionUrl(await this.config(), {
      post_logout_redirect_uri: `${this.origin}/`,
      ...(idToken ? { id_token_hint: idToken } : {}),
    });
    return url.href;
  }
}
