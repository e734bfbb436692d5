import { createMiddleware } from 'hono/factory';
import { Refusal } from '#domain/rules/refusal.ts';
import type { AppContext, AppEnv } from './environment.ts';
import { refuse } from './replies.ts';

/** The maximum length of target and headers, in characters. */
export const HEADER_LIMIT = 16 * 1024;

const MESSAGE = `The address and the headers have more than ${HEADER_LIMIT / 1024} kB. Cookies of the whole site are among them: remove some.`;

/**
 * Refuses long headers before the listener does, because pages cannot read the listener's reply, and no log line mentions it.
 *
 * @param allow sets the CORS headers, because the origin was not checked before
 */
export function shortHeadersOnly(allow: (context: AppContext) => void = () => undefined) {
  return createMiddleware<AppEnv>(async (context, next) => {
    const size = linesOf(context).reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      context.req.raw.url.length,
    );
    if (size <= HEADER_LIMIT) return next();
    allow(context);
    return refuse(context, new Refusal('request_headers_too_large', MESSAGE));
  });
}

/** The headers as sent: `Headers` has each name only once, no matter how often it came. */
function linesOf({ env, req }: AppContext): readonly (readonly [name: string, value: string])[] {
  const raw = env?.incoming?.rawHeaders;
  if (raw === undefined) return [...req.raw.headers];
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}
