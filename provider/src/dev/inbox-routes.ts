import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { html as asHtml, raw } from 'hono/html';
import { isLoopbackOrigin } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { directOnly } from '#provider/base/http/arrival.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { refuse } from '#provider/base/http/replies.ts';
import { styleSheet } from '#provider/base/http/page-css.ts';
import type { Services } from '#provider/api/services.ts';
import { messages } from '#provider/messages/outbox/store.ts';
import { connectionsRoutes } from './connections-routes.ts';
import { page } from './frame.ts';
import frameCss from './frame.css?raw';
import css from './inbox.css?raw';
import html from './inbox.html?raw';
import { inboxScript } from './inbox-page.ts';
import { inboxStream } from './inbox-stream.ts';
import { mailsRoutes } from './mails-routes.ts';

const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `connect-src 'self'`,
  `img-src data:`,
  `frame-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'self' http://localhost:* http://127.0.0.1:*`,
  `require-trusted-types-for 'script'`,
].join('; ');

const STREAM_HEADERS = { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' };

const DEFAULT_COUNT = 200;
const MAX_COUNT = 1000;

/** Only pages of this server's origins may read codes and links, regardless of the project's origins. */
const loopbackOriginOnly = createMiddleware<AppEnv>(async (context, next) => {
  context.set('pattern', context.req.path.startsWith('/dev/inbox') ? '/dev/inbox' : '/dev/*');
  const origin = context.req.header('origin');
  if (origin !== undefined && !isLoopbackOrigin(origin)) return refuse(context, new Refusal('unregistered_origin'));
  return next();
});

/** The messages that this server would have sent: as JSON, as a stream and as a page. Mounted only with `--dev`. */
export function inboxRoutes(
  services: Pick<Services, 'db' | 'clock' | 'project' | 'report' | 'inbox' | 'templates' | 'demoUrl'>,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(loopbackOriginOnly);
  app.use(directOnly);
  app.route('/', mailsRoutes(services));
  app.route('/', connectionsRoutes(services));
  app.get('/inbox.json', async (context) => {
    const count = Number(context.req.query('limit') ?? DEFAULT_COUNT);
    const limit = Number.isInteger(count) && count > 0 ? Math.min(count, MAX_COUNT) : DEFAULT_COUNT;
    const to = context.req.query('to')?.replaceAll('\0', '');
    return context.json(await messages(services.db, { to, limit }));
  });
  app.get('/inbox/stream', (context) =>
    context.body(inboxStream(services, context.req.header('last-event-id')), 200, STREAM_HEADERS),
  );
  const { demoUrl } = services;
  const [before = '', after = ''] = html.split('<!-- demo -->');
  const demo = demoUrl === undefined ? '' : asHtml` <a href="${demoUrl}">Ask for a code in the demo</a>`;
  const inbox = { path: '/dev/inbox', title: 'Dev inbox', script: '/dev/inbox.js', demoUrl } as const;
  app.get('/inbox', async (context) =>
    context.html(page(inbox, asHtml`${raw(before)}${demo}${raw(after)}`), 200, { 'Content-Security-Policy': POLICY }),
  );
  app.get('/inbox.css', styleSheet(`${frameCss}\n${css}`));
  app.get('/inbox.js', (context) =>
    context.body(inboxScript, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
  );
  app.delete('/inbox', async (context) => {
    await services.db.deleteFrom('outbox').where('channel', 'not in', ['webhook', 'logout']).execute();
    return context.body(null, 204);
  });
  return app;
}
