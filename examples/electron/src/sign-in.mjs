import { once } from 'node:events';
import { createServer } from 'node:http';
import * as oidc from 'openid-client';

const PAGE =
  '<!doctype html><html lang="en"><title>Notes</title><p>Return to the app. You can close this page.</p></html>';
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  Connection: 'close',
};

/**
 * Signs in with the system's browser (RFC 8252). The code arrives at a server on loopback that lives as long as this sign-in.
 *
 * Rejects with the signal's reason, and with the error of openid-client for a rejection or an invalid answer.
 *
 * @param {oidc.Configuration} config
 * @param {{ scope: string, openBrowser: (url: string) => Promise<unknown>, signal: AbortSignal }} options
 */
export async function signIn(config, { scope, openBrowser, signal }) {
  const server = createServer().listen(0, '127.0.0.1');
  try {
    await once(server, 'listening', { signal });
    const address = /** @type {import('node:net').AddressInfo} */ (server.address());
    const redirectUri = new URL(`http://127.0.0.1:${address.port}/callback`);
    const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()];
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri.href,
      scope,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    signal.throwIfAborted();
    const answer = answerTo(server, redirectUri, state, signal);
    await Promise.all([openBrowser(url.href), answer]);
    return await oidc.authorizationCodeGrant(config, await answer, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
  } finally {
    server.close();
  }
}

/**
 * The address that the browser comes back with. Other pages and programs of this machine can send requests here, too: those without
 * this sign-in's `state` do not end it.
 *
 * @param {import('node:http').Server} server
 * @param {URL} redirectUri
 * @param {string} state
 * @param {AbortSignal} signal
 * @returns {Promise<URL>}
 */
function answerTo(server, redirectUri, state, signal) {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    server.on('request', (request, response) => {
      // Null for a target such as `*`. Resolved against an address, `//[` would throw.
      const address = `${redirectUri.origin}${request.url}`;
      const url = URL.canParse(address) ? new URL(address) : null;
      const isAnswer =
        url !== null &&
        request.method === 'GET' &&
        request.headers.host === redirectUri.host &&
        url.pathname === redirectUri.pathname &&
        url.searchParams.get('state') === state;
      if (!isAnswer) {
        response.writeHead(404, HEADERS).end();
        return;
      }
      response.writeHead(200, HEADERS).end(PAGE);
      resolve(url);
    });
  });
}
