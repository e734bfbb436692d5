import { createMiddleware } from 'hono/factory';
import { MINUTE_MS } from '../platform.ts';
import { atMostEvery, type Warn } from '../warnings.ts';
import type { AppContext, AppEnv } from './environment.ts';
import { isPublicAddress } from './outside-fetch.ts';
import { arrivalOf, NO_PROXIES, type TrustedProxies } from './trusted-proxies.ts';

const WARN_EVERY_MS = 60 * MINUTE_MS;

/** The network address of the connected peer; empty for a request within this process. */
export function peerAddress(context: AppContext): string {
  return context.env?.incoming?.socket.remoteAddress ?? '';
}

interface ArrivalServices {
  readonly proxies?: TrustedProxies | undefined;
  readonly project: { readonly issuer: string | null };
}

/** Determines the sender of each request, and the URL of this server that it used, even behind proxies. */
export function arrival({ proxies = NO_PROXIES, project }: ArrivalServices, warn: Warn = () => undefined) {
  const tell = atMostEvery(WARN_EVERY_MS, warn);
  return createMiddleware<AppEnv>(async (context, next) => {
    const peer = peerAddress(context);
    const header = (name: string): string | undefined => context.req.header(name);
    const { address, origin } = arrivalOf(proxies, { peer, header, url: new URL(context.req.url) });
    context.set('address', address);
    context.set('origin', origin);
    context.set('publicOrigin', project.issuer ?? origin);
    // On the internet, any client can send this header.
    if (peer !== '' && !proxies.trusts(peer, 0) && header('x-forwarded-for') !== undefined && !isPublicAddress(peer)) {
      tell(
        'a proxy that --trust-proxy does not name forwards requests: all of its visitors share the limits of one address.',
      );
    }
    return next();
  });
}

/** The visitor's network address; empty for a request within this process. */
export function remoteAddress(context: AppContext): string {
  return context.get('address');
}

/** The origin at which the caller reached this server. */
export function requestOrigin(context: AppContext): string {
  return context.get('origin');
}
