import * as oidc from 'openid-client';
import { signIn } from './sign-in.mjs';

const SCOPE = 'openid email offline_access';
const TEN_MINUTES_MS = 600_000;

/**
 * Where the refresh token is stored: null when there is none.
 *
 * @typedef {{ read(): Promise<string | null>, write(token: string | null): Promise<void> }} TokenStore
 */

/** The user of this app. The tokens stay in this object and in the store. */
export class Account {
  #issuer;
  #clientId;
  #openBrowser;
  #store;
  /** @type {Promise<oidc.Configuration> | null} */
  #config = null;
  /** @type {{ accessToken: string, email: string, expiresAt: number } | null} */
  #current = null;
  /** @type {Promise<void>} */
  #turn = Promise.resolve();
  #attempt = new AbortController();

  /** @param {{ issuer: string, clientId: string, openBrowser: (url: string) => Promise<unknown>, store: TokenStore }} options */
  constructor({ issuer, clientId, openBrowser, store }) {
    this.#issuer = new URL(issuer);
    this.#clientId = clientId;
    this.#openBrowser = openBrowser;
    this.#store = store;
  }

  /** Signs in with the browser. A second call ends the first. */
  async signIn() {
    this.#attempt.abort(new Error('Another sign-in has begun.'));
    this.#attempt = new AbortController();
    const signal = AbortSignal.any([this.#attempt.signal, AbortSignal.timeout(TEN_MINUTES_MS)]);
    const tokens = await signIn(await this.#configuration(), { scope: SCOPE, openBrowser: this.#openBrowser, signal });
    await this.#inTurn(() => this.#accept(tokens));
  }

  /** The access token for calls of your API, renewed when it has expired; null when nobody is signed in. */
  async accessToken() {
    await this.#inTurn(() => this.#renew());
    return this.#current?.accessToken ?? null;
  }

  /** Who is signed in, also after the app was started anew; or null. */
  async email() {
    await this.#inTurn(() => this.#renew());
    return this.#current?.email ?? null;
  }

  /** Forgets the tokens here, and revokes them at the provider. */
  async signOut() {
    await this.#inTurn(async () => {
      const token = await this.#store.read();
      await this.#forget();
      if (token !== null) await oidc.tokenRevocation(await this.#configuration(), token);
    });
  }

  /** A refresh token is valid once, so that two calls must not use the same one: each waits for the one before. */
  #inTurn(/** @type {() => Promise<void>} */ work) {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #renew() {
    if (this.#current !== null && this.#current.expiresAt > Date.now()) return;
    const token = await this.#store.read();
    if (token === null) return;
    try {
      await this.#accept(await oidc.refreshTokenGrant(await this.#configuration(), token));
    } catch (error) {
      // The user or the provider has ended the access. After any other error, such as no network, the token may still be valid.
      if (!(error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')) throw error;
      await this.#forget();
    }
  }

  async #accept(/** @type {oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers} */ tokens) {
    await this.#store.write(tokens.refresh_token ?? null);
    const subject = tokens.claims()?.sub ?? oidc.skipSubjectCheck;
    const user = await oidc.fetchUserInfo(await this.#configuration(), tokens.access_token, subject);
    const expiresAt = Date.now() + ((tokens.expiresIn() ?? 0) - 30) * 1000;
    this.#current = { accessToken: tokens.access_token, email: user.email ?? '', expiresAt };
  }

  async #forget() {
    this.#current = null;
    await this.#store.write(null);
  }

  #configuration() {
    const execute = this.#issuer.hostname === 'localhost' ? [oidc.allowInsecureRequests] : [];
    this.#config ??= oidc.discovery(this.#issuer, this.#clientId, undefined, oidc.None(), { execute });
    this.#config.catch(() => (this.#config = null));
    return this.#config;
  }
}
