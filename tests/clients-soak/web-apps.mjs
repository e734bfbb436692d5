import { createRequire } from 'node:module';
import { betterAuth } from 'better-auth';
import { genericOAuth } from 'better-auth/plugins';
import Grant from 'grant';
import express from '../clients/node_modules/express/index.js';

/**
 * More apps with a server: each signs in, and shows its user and whether it could refresh.
 *
 * @typedef {{ issuer: string, client_id: string, client_secret: string, origin: string }} Settings
 */

const SCOPE = 'openid email profile offline_access';
const NextAuth = createRequire(import.meta.url)('next-auth').default;

/** `POST /api/auth/signin/portico` begins, `/api/auth/session` names the user. @param {Settings} settings */
export function nextAuthApp({ issuer, client_id, client_secret, origin }) {
  process.env.NEXTAUTH_URL = origin;
  const options = {
    secret: 'a secret of the cookies of this app',
    providers: [
      {
        id: 'portico',
        name: 'Portico',
        type: 'oauth',
        wellKnown: `${issuer}/.well-known/openid-configuration`,
        authorization: { params: { scope: SCOPE } },
        idToken: true,
        checks: ['pkce', 'state', 'nonce'],
        // It gives up after 3.5 seconds, which a busy machine may take, and shows its own login.
        httpOptions: { timeout: 60_000 },
        clientId: client_id,
        clientSecret: client_secret,
        profile: ({ sub, email, name }) => ({ id: sub, email, name: name ?? null }),
      },
    ],
    callbacks: {
      jwt: ({ token, account }) => (account ? { ...token, refresh_token: account.refresh_token } : token),
      session: ({ session, token }) => ({ ...session, sub: token.sub, refresh_token: token.refresh_token }),
    },
    logger: { error: () => undefined, warn: () => undefined },
  };
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.use('/api/auth', (request, response) => {
    const [path] = request.url.slice(1).split('?');
    const cookies = Object.fromEntries(
      (request.headers.cookie ?? '')
        .split('; ')
        .filter(Boolean)
        .map((pair) => [pair.slice(0, pair.indexOf('=')), decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]),
    );
    Object.defineProperty(request, 'query', { value: { ...request.query, nextauth: path.split('/') } });
    request.cookies = cookies;
    return NextAuth(request, response, options);
  });
  return app;
}

/** `POST /api/auth/sign-in/social` answers where to go, `/api/auth/get-session` names the user. @param {Settings} settings */
export function betterAuthApp({ issuer, client_id, client_secret, origin }) {
  const auth = betterAuth({
    baseURL: origin,
    secret: 'a secret of the cookies of this app, which is long',
    trustedOrigins: [origin],
    telemetry: { enabled: false },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: 'portico',
            discoveryUrl: `${issuer}/.well-known/openid-configuration`,
            clientId: client_id,
            clientSecret: client_secret,
            scopes: SCOPE.split(' '),
            pkce: true,
          },
        ],
      }),
    ],
  });
  const app = express();
  app.use(express.text({ type: () => true }));
  const answer = async (request, response) => {
    const body = request.method === 'POST' ? { body: request.body } : {};
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    const reply = await auth.handler(
      new Request(`${origin}${request.originalUrl}`, { method: request.method, headers, ...body }),
    );
    response.status(reply.status);
    for (const [name, value] of reply.headers) if (name !== 'set-cookie') response.set(name, value);
    response.set('set-cookie', reply.headers.getSetCookie());
    response.send(Buffer.from(await reply.arrayBuffer()));
  };
  app.use((request, response) => answer(request, response));
  return app;
}

/** `/connect/portico` begins, `/` shows the tokens and the profile. @param {Settings} settings */
export function grantApp({ issuer, client_id, client_secret, origin }) {
  const app = express();
  const sessions = new Map([['one', {}]]);
  app.use((request, _response, next) => {
    // The store of sessions that it needs: one browser, in memory.
    request.session = sessions.get('one');
    next();
  });
  app.use(
    Grant.express()({
      defaults: { origin, transport: 'session', state: true, nonce: true, pkce: true },
      portico: {
        authorize_url: `${issuer}/oauth2/authorize`,
        access_url: `${issuer}/oauth2/token`,
        profile_url: `${issuer}/oauth2/userinfo`,
        oauth: 2,
        key: client_id,
        secret: client_secret,
        scope: SCOPE.split(' '),
        scope_delimiter: ' ',
        callback: '/',
        response: ['tokens', 'jwt', 'profile'],
      },
    }),
  );
  app.get('/', (request, response) => response.json(request.session.grant?.response ?? {}));
  return app;
}
