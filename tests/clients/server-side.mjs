import { Auth } from '@auth/core';
import express from 'express';
import openIdConnect from 'express-openid-connect';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';

/**
 * Apps with a server, each with `/` that names its user, and `/login`.
 *
 * @typedef {{ issuer: string, client_id: string, client_secret: string, origin: string, response_mode?: string }} Settings
 */

/** @param {Settings} settings */
export function passportApp({ issuer, client_id, client_secret, origin }) {
  const login = new passport.Passport();
  const sessions = new Map();
  login.use(
    new OpenIDConnectStrategy(
      {
        issuer,
        authorizationURL: `${issuer}/oauth2/authorize`,
        tokenURL: `${issuer}/oauth2/token`,
        userInfoURL: `${issuer}/oauth2/userinfo`,
        clientID: client_id,
        clientSecret: client_secret,
        callbackURL: `${origin}/callback`,
        scope: ['email'],
      },
      (_issuer, profile, done) => done(null, { sub: profile.id, email: profile.emails?.[0]?.value }),
    ),
  );
  const app = express();
  login.serializeUser((user, done) => done(null, user));
  login.deserializeUser((user, done) => done(null, user));
  // The store of sessions that the strategy needs: one browser, in memory.
  app.use((request, _response, next) => {
    const open = () => {
      request.session = Object.assign(sessions.get('one') ?? {}, { save: (done) => done(), regenerate });
      sessions.set('one', request.session);
    };
    const regenerate = (done) => {
      sessions.delete('one');
      open();
      done();
    };
    open();
    next();
  });
  app.use(login.session());
  app.get('/login', login.authenticate('openidconnect'));
  app.get('/callback', login.authenticate('openidconnect'), (_request, response) => response.redirect('/'));
  app.get('/logout', (request, response, next) =>
    request.logout((error) => (error ? next(error) : response.redirect('/'))),
  );
  app.get('/', (request, response) => response.json(request.user ?? {}));
  return app;
}

/** @param {Settings} settings */
export function expressApp({ issuer, client_id, client_secret, origin, response_mode }) {
  const app = express();
  /** The sessions of which a logout token says that they ended. */
  const ended = new Set();
  app.use(
    openIdConnect.auth({
      issuerBaseURL: issuer,
      baseURL: origin,
      clientID: client_id,
      clientSecret: client_secret,
      secret: 'a secret of the cookies of this app',
      authRequired: false,
      idpLogout: true,
      backchannelLogout: {
        onLogin: false,
        onLogoutToken: ({ sid }) => ended.add(sid),
        isLoggedOut: ({ oidc }) => ended.has(oidc.idTokenClaims.sid),
      },
      authorizationParams: {
        response_type: 'code',
        scope: 'openid email offline_access',
        ...(response_mode ? { response_mode } : {}),
      },
    }),
  );
  const answer = async (request, response) => {
    if (!request.oidc.isAuthenticated()) return response.json({});
    const token = await request.oidc.accessToken.refresh();
    const { sub, email } = await request.oidc.fetchUserInfo();
    return response.json({ sub, email, refreshed: token.access_token !== undefined });
  };
  app.get('/', (request, response) => answer(request, response));
  app.get('/session', ({ oidc }, response) => response.json({ sid: oidc.idTokenClaims?.sid ?? null }));
  return app;
}

/** @param {Settings} settings */
export function authJsApp({ issuer, client_id, client_secret, origin }) {
  const config = {
    basePath: '/auth',
    secret: 'a secret of the cookies of this app',
    trustHost: true,
    providers: [
      {
        id: 'portico',
        name: 'Portico',
        type: 'oidc',
        issuer,
        clientId: client_id,
        clientSecret: client_secret,
        checks: ['pkce', 'state', 'nonce'],
        authorization: { params: { scope: 'openid email' } },
      },
    ],
    callbacks: { session: ({ session, token }) => ({ ...session, sub: token.sub }) },
    logger: { error: () => undefined },
  };
  const app = express();
  app.use(express.text({ type: () => true }));
  const answer = async (request, response) => {
    const body = request.method === 'POST' ? { body: request.body } : {};
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    const reply = await Auth(
      new Request(`${origin}${request.originalUrl}`, { method: request.method, headers, ...body }),
      config,
    );
    response.status(reply.status);
    for (const [name, value] of reply.headers) if (name !== 'set-cookie') response.set(name, value);
    response.set('set-cookie', reply.headers.getSetCookie());
    response.send(Buffer.from(await reply.arrayBuffer()));
  };
  app.use((request, response) => answer(request, response));
  return app;
}
