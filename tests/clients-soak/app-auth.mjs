import { AuthorizationNotifier } from '@openid/appauth/built/src/authorization_request_handler.js';
import { AuthorizationRequest } from '@openid/appauth/built/src/authorization_request.js';
import { AuthorizationServiceConfiguration } from '@openid/appauth/built/src/authorization_service_configuration.js';
import { NodeCrypto } from '@openid/appauth/built/src/node_support/crypto_utils.js';
import { NodeBasedHandler } from '@openid/appauth/built/src/node_support/node_request_handler.js';
import { NodeRequestor } from '@openid/appauth/built/src/node_support/node_requestor.js';
import { RevokeTokenRequest } from '@openid/appauth/built/src/revoke_token_request.js';
import { BaseTokenRequestHandler } from '@openid/appauth/built/src/token_request_handler.js';
import { TokenRequest } from '@openid/appauth/built/src/token_request.js';

/**
 * A program: a desktop app. It opens the browser, redeems the code, refreshes, and revokes the refresh token. Its last line is what it got.
 *
 *     app-auth.mjs ISSUER CLIENT_ID PORT
 */
const [issuer, client_id, port] = process.argv.slice(2);
const redirect_uri = `http://127.0.0.1:${port}/callback`;
const requestor = new NodeRequestor();
const at = await AuthorizationServiceConfiguration.fetchFromIssuer(issuer, requestor);
const handler = new NodeBasedHandler(Number(port));
const notifier = new AuthorizationNotifier();
handler.setAuthorizationNotifier(notifier);
const answered = new Promise((resolve, reject) => {
  notifier.setAuthorizationListener((request, response, error) =>
    response ? resolve({ request, code: response.code }) : reject(new Error(error?.error)),
  );
});
const scope = 'openid email offline_access';
handler.performAuthorizationRequest(
  at,
  new AuthorizationRequest({ client_id, redirect_uri, scope, response_type: 'code' }, new NodeCrypto()),
);
const { request, code } = await answered;
const tokens = new BaseTokenRequestHandler(requestor);
const get = (fields) => tokens.performTokenRequest(at, new TokenRequest({ client_id, redirect_uri, ...fields }));
const extras = { code_verifier: request.internal['code_verifier'] };
const first = await get({ grant_type: 'authorization_code', code, extras });
const second = await get({ grant_type: 'refresh_token', refresh_token: first.refreshToken });
const isRevoked = await tokens.performRevokeTokenRequest(
  at,
  new RevokeTokenRequest({ token: second.refreshToken, client_id, token_type_hint: 'refresh_token' }),
);
const headers = { authorization: `Bearer ${second.accessToken}` };
const { status } = await fetch(at.userInfoEndpoint, { headers });
console.log(
  JSON.stringify({ isOther: second.accessToken !== first.accessToken, idToken: first.idToken, isRevoked, status }),
);
