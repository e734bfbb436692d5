import { createHash } from 'node:crypto';
import type { Handler } from 'hono';
import { allowEveryOrigin } from '#provider/base/http/open-cors.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';

/** Where the OpenAPI description of these APIs is served. */
export const DESCRIPTION_PATH = '/openapi.json';

const HOUR_SECONDS = 3600;

async function readDescription() {
  const { default: text } = await import('../../openapi.json?raw');
  return { text, tag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

let description: ReturnType<typeof readDescription> | undefined;

/** Serves the description, which is the same for every project, to pages and programs of every origin. */
export const serveDescription: Handler<AppEnv> = async (context) => {
  context.set('pattern', DESCRIPTION_PATH);
  allowEveryOrigin(context);
  const { text, tag } = await (description ??= readDescription());
  const headers = { ETag: tag, 'Cache-Control': `public, max-age=${HOUR_SECONDS}` };
  if (context.req.header('if-none-match') === tag) return context.body(null, 304, headers);
  return context.body(text, 200, { ...headers, 'Content-Type': 'application/json' });
};
