import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Services } from '#provider/api/services.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { styleSheet } from '#provider/base/http/page-css.ts';
import { page } from './frame.ts';
import frameCss from './frame.css?raw';

const POLICY = `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;

/** Tells a person who opens `/admin` where the operators' page is. Programs get the error of an unknown route. */
export function adminHintRoutes({ demoUrl }: Pick<Services, 'demoUrl'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get('/admin', async (context, next) => {
    if (!context.req.header('accept')?.includes('text/html')) return next();
    context.set('pattern', '/admin');
    const hint = page(
      { path: '/admin', title: 'No page here', demoUrl },
      html`<main>
        <h1>No page here</h1>
        <p class="lead">
          The operators’ page has a port of its own. Start the server with <code>--operators-port</code>, and open
          <code>/operators</code> there.
        </p>
      </main>`,
    );
    return context.html(hint, 404, { 'Content-Security-Policy': POLICY });
  });
  app.get('/admin.css', async (context, next) => {
    context.set('pattern', '/admin.css');
    return styleSheet(frameCss)(context, next);
  });
  return app;
}
