import { createMiddleware } from 'hono/factory';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { AppEnv } from './environment.ts';
import { refuse } from './replies.ts';

/** What proxies, tunnels and content delivery networks add to a request that they pass on. */
const FORWARDING: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-envoy-external-address',
  'true-client-ip',
  'fastly-client-ip',
  'cdn-loop',
  'cf-connecting-ip',
  'cf-ray',
]);

/** True for a request that a proxy passed on: the peer's address is then not the client's. */
export function isForwarded(headers: Headers): boolean {
  return [...headers.keys()].some((name) => FORWARDING.has(name) || name.startsWith('x-forwarded'));
}

/**
 * Refuses what a proxy passed on: a proxy on this machine would make the internet look like this machine. A proxy that
 * adds no header cannot be told apart, which is why what must never be public exists with `--dev` only.
 */
export const directOnly = createMiddleware<AppEnv>(async (context, next) => {
  if (isForwarded(context.req.raw.headers)) {
    return refuse(context, new Refusal('unauthorized_action', 'This answers programs of this machine, not a proxy.'));
  }
  return next();
});
