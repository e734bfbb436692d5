import { Hono } from 'hono';
import { html } from 'hono/html';
import { pageOrigins } from '#domain/rules/redirects.ts';
import { LOOPBACK } from '#domain/safe-url.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { LOOPBACK_SITES } from '#provider/base/http/loopback-sites.ts';
import type { Project } from '#provider/project/settings/project.ts';
import type { Services } from '../services.ts';
import { phoneNumbersScript } from './phone-numbers.ts';
import { servicesScript, type ServicesSettings } from './services-script.ts';

const SCRIPT = 'text/javascript; charset=utf-8';

/** Only pages of registered origins can load the page into a frame. */
function policy({ origins, allow_loopback }: Project): string {
  const ancestors = [...pageOrigins(origins), ...(allow_loopback ? LOOPBACK_SITES : [])];
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors ${ancestors.length === 0 ? `'none'` : ancestors.join(' ')}`,
    `require-trusted-types-for 'script'`,
    `trusted-types phone-numbers`,
  ].join('; ');
}

function settingsOf({ origins, allow_loopback, pkce_required_for_oauth }: Project): ServicesSettings {
  return {
    origins: pageOrigins(origins),
    hosts: allow_loopback ? LOOPBACK.source : null,
    pkce: pkce_required_for_oauth,
  };
}

/** The page that the reference client loads into a hidden frame for telephone numbers and One Tap: see `services-script.ts`. */
export function clientsideRoutes(services: Pick<Services, 'project'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use('*', async (context, next) => {
    context.set('pattern', '/clientside-services/*');
    await next();
  });
  app.get('/index.html', (context) => {
    const { project } = services;
    const page = html`<!doctype html>
      <html lang="en" data-settings="${JSON.stringify(settingsOf(project))}">
        <head>
          <meta charset="utf-8" />
          <title>Client services</title>
          <script src="services.js"></script>
        </head>
      </html>`;
    return context.html(page, 200, {
      'Content-Security-Policy': policy(project),
      'Referrer-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
    });
  });
  app.get('/services.js', (context) =>
    context.body(servicesScript, 200, { 'Content-Type': SCRIPT, 'Cache-Control': 'public, max-age=3600' }),
  );
  app.get('/phone-numbers.js', async (context) => {
    const { text, brotli } = await phoneNumbersScript();
    context.header('Content-Type', SCRIPT);
    context.header('Cache-Control', 'public, max-age=86400');
    context.header('Vary', 'Accept-Encoding', { append: true });
    if (!/\bbr\b(?!;\s*q=0(?:\.0*)?(?:,|$))/u.test(context.req.header('accept-encoding') ?? ''))
      return context.body(text);
    context.header('Content-Encoding', 'br');
    return context.body(brotli);
  });
  return app;
}
