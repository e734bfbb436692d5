import type { Handler, Hono } from 'hono';
import { API_PREFIX } from '#application/api/index.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { KEYS_PATH } from '#provider/base/backend-api/backend-api.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import type { SigningServices } from '#provider/base/security/signing-key-rows.ts';
import { JWKS_MAX_AGE_SECONDS, publishedKeys } from '#provider/base/security/signing-keys.ts';
import { relatedOrigins } from '#server-rules/passkeys.ts';
import { furtherCalls } from './further-calls.ts';
import type { Services } from './services.ts';

type KeyFileServices = SigningServices & Pick<Services, 'project'>;

const JWKS_MAX_AGE = `public, max-age=${JWKS_MAX_AGE_SECONDS}`;

/** The keys of session JWTs, and the file that lets pages of other domains use the passkeys. */
export function mountWellKnown(app: Hono<AppEnv>, services: KeyFileServices): void {
  app.get(furtherCalls.sessionKeys.path, async (context) => {
    context.set('pattern', furtherCalls.sessionKeys.path);
    return keys(services, context);
  });
  app.get(furtherCalls.relatedOrigins.path, related(services));
  app.get(`${API_PREFIX}${KEYS_PATH}`, keysOfProject(services));
}

const keys = async (services: KeyFileServices, context: AppContext): Promise<Response> =>
  context.json(await publishedKeys(services, 'sessions'), 200, { 'Cache-Control': JWKS_MAX_AGE });

function keysOfProject(services: KeyFileServices): Handler<AppEnv> {
  return async (context) => {
    context.set('pattern', `${API_PREFIX}${KEYS_PATH}`);
    if (context.req.param('projectId') !== services.project.project_id) throw new Refusal('project_not_found');
    return keys(services, context);
  };
}

function related(services: Pick<Services, 'project'>): Handler<AppEnv> {
  return (context) => {
    context.set('pattern', furtherCalls.relatedOrigins.path);
    if (services.project.passkey_domain === null) throw new Refusal('route_not_found');
    return context.json({ origins: relatedOrigins(services.project) });
  };
}
