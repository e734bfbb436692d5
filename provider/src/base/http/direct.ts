import { createMiddleware } from 'hono/factory';
import { Refusal } from '#domain/rules/refusal.ts';
import type { AppEnv } from './environment.ts';
import { refuse } from './replies.ts';

/** The headers that proxies, tunnels and content delivery networks add to a forwarded request. */
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

/** True for a request that a proxy forwarded: the peer's address is then not the client's. */
export function isForwarded(headers: Headers): boolean {
  return [...headers.keys()].some((name) => FORWARDING.has(name) || name.startsWith('x-forwarded'));
}

/**
 * Refuses forwarded requests: behind a proxy on this machine, requests from the internet look local. A proxy that adds no header cannot be
 * detected, so features that must never be public exist only with `--dev`.
 */
export const directOnly = createMiddleware<AppEnv>(async (context, next) => {
  if (isForwarded(context.req.raw.headers)) {
    return refuse(context, new Refusal('unauthorized_action', 'This answers programs of this machine, not a proxy.'));
  }
  return next();
});
