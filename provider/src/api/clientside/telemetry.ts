/**
 * Device telemetry for clients of this API that collects nothing: the script measures nothing, and the server answers with a random id that
 * it does not store. It is served as the source text of its function, so the function must not use anything outside of it.
 */
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { Refusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import { TELEMETRY_OF_DEV } from '#provider/messages/outbox/senders.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { readJson } from '#provider/base/http/request.ts';
import { sameSecret, uuid } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';

function telemetry(): void {
  /** Resolves with an id, or with undefined if there is none: a login does not fail because of it. */
  async function GetTelemetryID(publicToken: string, submitUrl: string): Promise<string | undefined> {
    try {
      const reply = await fetch(submitUrl, {
        method: 'POST',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ public_token: publicToken }),
      });
      const { telemetry_id } = (await reply.json()) as { readonly telemetry_id?: string };
      return telemetry_id;
    } catch {
      return undefined;
    }
  }
  Object.assign(window, { GetTelemetryID });
}

export const telemetryScript = `(${telemetry.toString()})();\n`;

/** The script and its call, at the paths that clients append to the hosts of device telemetry. Only for a project that uses it. */
export function telemetryRoutes(services: Pick<Services, 'random' | 'dev' | 'project'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const ifEnabled = createMiddleware<AppEnv>(async (context, next) => {
    if (!services.project.dfp_protected_auth_enabled) throw new Refusal('route_not_found');
    context.set('pattern', context.req.path);
    await next();
  });
  app.get('/telemetry.js', ifEnabled, (context) =>
    context.body(telemetryScript, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=3600',
    }),
  );
  app.post('/submit', ifEnabled, async (context) => {
    const { project, random, dev } = services;
    const body = await readJson(context.req.raw);
    const { public_token } = isRecord(body) ? body : {};
    if (typeof public_token !== 'string' || !sameSecret(public_token, project.public_token)) {
      throw new Refusal('invalid_public_token');
    }
    return context.json({ telemetry_id: `${dev ? TELEMETRY_OF_DEV : 'telemetry-'}${uuid(random)}` });
  });
  return app;
}
