import { serve } from '../../node_modules/@hono/node-server/dist/index.mjs';
import { getAuth, oidcAuthMiddleware, processOAuthCallback, revokeSession } from '@hono/oidc-auth';
import { Hono } from 'hono';

/**
 * A program: an app of Hono as its readme shows it. Its settings are in the environment (`OIDC_…`), with `PORT`. `/` names the user, and
 * `/logout` ends the refresh token.
 */
const app = new Hono();
app.get('/logout', async (context) => {
  await revokeSession(context);
  return context.text('out');
});
app.get('/callback', async (context) => processOAuthCallback(context));
app.use('*', oidcAuthMiddleware());
app.get('/', async (context) => context.json((await getAuth(context)) ?? {}));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' }, () => console.log('ready'));
