import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { createVerifier } from 'portico/server';
import { authenticate, requireAuth } from 'portico/server/hono';
import script from '../build/page.js?raw';

/** One for the life of the isolate, so that the keys are fetched once. */
const verifier = createVerifier({
  projectId: env.PORTICO_PROJECT_ID,
  apiUrl: env.PORTICO_API_URL,
  publicToken: env.PORTICO_PUBLIC_TOKEN,
});

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  `connect-src 'self' ${env.PORTICO_API_URL}`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Hono at the edge</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="login"></div>
    <main id="account" hidden>
      <h1 id="greeting"></h1>
      <button type="button" id="reports">Show the reports</button>
      <p id="status" role="status"></p>
      <button type="button" id="sign-out">Sign out</button>
    </main>
    <script type="module" src="/page.js"></script>
  </body>
</html>
`;

const app = new Hono();

app.get('/', (c) => c.html(PAGE, 200, { 'Content-Security-Policy': POLICY }));
app.get('/page.js', (c) => c.body(script, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }));
app.get('/api/settings', (c) => c.json({ apiUrl: env.PORTICO_API_URL, publicToken: env.PORTICO_PUBLIC_TOKEN }));

app.get('/api/me', authenticate(verifier), (c) => {
  const who = c.get('auth');
  return c.json({ user_id: who.status === 'signed-in' ? who.user_id : null });
});

app.get('/api/reports', requireAuth(verifier, { roles: ['editor'] }), (c) => c.json({ reports: ['Q1', 'Q2'] }));

// oxlint-disable-next-line no-default-export -- the runtime looks for it
export default app;
