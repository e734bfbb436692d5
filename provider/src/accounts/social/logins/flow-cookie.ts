import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { OAUTH_FLOW_MINUTES } from '#domain/rules/lifetimes.ts';
import type { AppContext } from '#provider/base/http/environment.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';

/**
 * A login must return to the browser in which it began (RFC 9700, section 4.7). Otherwise an attacker could log in at the provider and get
 * another person to open the return address. Each login has a separate cookie, so that several can run at once.
 */
interface Flow {
  readonly state: string;
  readonly redirect_uri: string;
  readonly answersByPost: boolean;
}

function nameOf(state: string): string {
  return `portico_oauth_${tokenHash(state).slice(0, 16)}`;
}

/** Sent only with the provider's answer. If another site posts that as a form, browsers send only cookies that are not SameSite. */
function optionsOf({ redirect_uri, answersByPost }: Omit<Flow, 'state'>): CookieOptions {
  const { protocol, pathname } = new URL(redirect_uri);
  const secure = protocol === 'https:';
  return { path: pathname, httpOnly: true, secure, sameSite: answersByPost && secure ? 'None' : 'Lax' };
}

export function setFlowCookie(context: AppContext, flow: Flow, secret: string): void {
  setCookie(context, nameOf(flow.state), secret, { ...optionsOf(flow), maxAge: OAUTH_FLOW_MINUTES * 60 });
}

/** Empty if another browser sends the request. */
export function flowCookie(context: AppContext, state: string): string {
  return getCookie(context, nameOf(state)) ?? '';
}

export function removeFlowCookie(context: AppContext, flow: Flow): void {
  deleteCookie(context, nameOf(flow.state), optionsOf(flow));
}
