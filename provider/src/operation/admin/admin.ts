import { Hono } from 'hono';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Services } from '#provider/api/services.ts';
import { peerAddress, directOnly } from '#provider/base/http/arrival.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { reply } from '#provider/base/http/replies.ts';
import { readJson } from '#provider/base/http/request.ts';
import { isLoopbackAddress } from '#provider/base/peer.ts';
import { sameSecret } from '#provider/base/security/secrets.ts';
import { dumpStream } from '../backup/dump-stream.ts';
import { perform } from '../operators/commands.ts';
import { shownSettings } from './shown-settings.ts';

/** Admits programs of this machine that have the secret. Requests of pages are rejected even with the secret. */
function checkAdmin(context: AppContext, secret: string): void {
  if (context.req.header('origin') !== undefined) throw new Refusal('unregistered_origin');
  const near = context.env?.incoming === undefined || isLoopbackAddress(peerAddress(context));
  const token = /^Bearer (\S+)$/u.exec(context.req.header('authorization') ?? '')?.[1] ?? '';
  if (!near || !sameSecret(token, secret)) throw new Refusal('admin_secret_required');
}

function emptyRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(async (context, next) => {
    context.set('pattern', '/admin/:command');
    await next();
  });
  app.use(directOnly);
  return app;
}

/** Shows the settings of the server, without secrets. */
export function settingsRoutes(
  { project }: Pick<Services, 'project'>,
  secret: string,
  projectSecrets: ReadonlySet<string>,
): Hono<AppEnv> {
  const app = emptyRoutes();
  app.get('/settings', (context) => {
    checkAdmin(context, secret);
    return reply(context, { settings: shownSettings(project, projectSecrets, secret) });
  });
  return app;
}

/** Serves operators' commands while the server runs, because only one process can open the data folder. */
export function adminRoutes(services: Services, secret: string): Hono<AppEnv> {
  const app = emptyRoutes();
  // Lets a program check whether this is the server of its data folder.
  app.get('/server', (context) => {
    checkAdmin(context, secret);
    return context.body(null, 204);
  });
  app.post('/backup', (context) => {
    checkAdmin(context, secret);
    return context.body(dumpStream(services), 200, { 'Content-Type': 'application/jsonl' });
  });
  app.post('/:command', async (context) => {
    checkAdmin(context, secret);
    return reply(context, await perform(services, context.req.param('command'), await readJson(context.req.raw)));
  });
  return app;
}
