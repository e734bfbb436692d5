import { Hono } from 'hono';
import { listFailures } from '#provider/apps/idp/failures/connection-failures.ts';
import { ruleOf } from '#provider/apps/idp/protocol/failure-rules.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { styleSheet } from '#provider/base/http/page-css.ts';
import type { Services } from '#provider/api/services.ts';
import { connectionsPage } from './connections-page.ts';
import css from './connections.css?raw';
import frameCss from './frame.css?raw';

const POLICY = [
  `default-src 'none'`,
  `style-src 'self'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
].join('; ');

const COUNT = 100;

/** Why apps could not connect, for the developer. Mounted only with `--dev`. */
export function connectionsRoutes(services: Pick<Services, 'db' | 'clock' | 'demoUrl'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const newest = async () => (await listFailures(services, { limit: COUNT })).failures;
  app.get('/connections', async (context) =>
    context.html(connectionsPage(await newest(), services.demoUrl), 200, { 'Content-Security-Policy': POLICY }),
  );
  app.get('/connections.json', async (context) =>
    context.json(
      (await newest()).map((failure) => ({ ...failure, rule: { name: failure.rule, ...ruleOf(failure.rule) } })),
    ),
  );
  app.get('/connections.css', styleSheet(`${frameCss}\n${css}`));
  return app;
}
