import { getCookie } from 'hono/cookie';
import { isLoopbackHost } from '#domain/safe-url.ts';
import { DeviceCookie } from '#provider/base/security/device-cookies.ts';
import { KNOWN_NETWORK_MS } from '#provider/base/security/known-networks.ts';
import type { Services } from './services.ts';
import { requestOrigin } from '#provider/base/http/arrival.ts';
import type { AppContext } from '#provider/base/http/environment.ts';

const NAME = 'portico_device';
/** No sibling host can set a cookie with this prefix (RFC 6265bis, section 4.1.3.2). */
const HOST_NAME = `__Host-${NAME}`;
type DeviceServices = Pick<Services, 'keys' | 'random' | 'project'>;

/** Longer than any value that this server makes. */
const LONGEST = 512;

/** The users who logged in with the browser of a request; none if it has no cookie of this server. */
export function deviceCookie(services: DeviceServices, context: AppContext): DeviceCookie {
  const text = getCookie(context, isSecure(services, context) ? HOST_NAME : NAME) ?? '';
  return new DeviceCookie(services, text.length > LONGEST ? '' : text);
}

/**
 * Makes the browser store the cookie. It has `SameSite=None`, because the page may be on another site, and `Partitioned`, so that each such
 * site has a separate cookie and none can follow a person to another. If a browser drops it, its user still has the networks from which
 * they log in. Browsers store no cookie over plain HTTP, except on this machine, where pages are on the same site.
 */
export function setDeviceCookie(services: DeviceServices, context: AppContext, device: DeviceCookie): void {
  const secure = isSecure(services, context);
  if (!secure && !isLoopbackHost(new URL(originOf(services, context)).hostname)) return;
  const attributes = `Max-Age=${KNOWN_NETWORK_MS / 1000}; Path=/; HttpOnly`;
  const cookie = secure
    ? `${HOST_NAME}=${device.text}; ${attributes}; Secure; SameSite=None; Partitioned`
    : `${NAME}=${device.text}; ${attributes}; SameSite=Lax`;
  context.header('Set-Cookie', cookie, { append: true });
}

/** The origin of this server, as browsers see it. */
function originOf({ project }: DeviceServices, context: AppContext): string {
  return project.issuer ?? requestOrigin(context);
}

function isSecure(services: DeviceServices, context: AppContext): boolean {
  return originOf(services, context).startsWith('https:');
}
