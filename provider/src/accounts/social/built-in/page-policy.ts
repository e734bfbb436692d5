import type { Refusal } from '#domain/rules/refusal.ts';
import type { AppContext } from '#provider/base/http/environment.ts';
import { LOOPBACK_SITES } from '#provider/base/http/loopback-sites.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { errorPage } from './account-pages.ts';

/** The Content Security Policy of a page. Redirects after a form count as `form-action`, so that includes the project's sites. */
export function policy(formAction: string, ancestors: string, script = false): string {
  return [
    `default-src 'none'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    ...(script ? [`script-src 'self'`, `connect-src 'self'`] : []),
    `base-uri 'none'`,
    `form-action ${formAction}`,
    `frame-ancestors ${ancestors}`,
    `require-trusted-types-for 'script'`,
  ].join('; ');
}

function sites(project: Project): string {
  const registered = project.redirect_urls.map((address) => new URL(address).origin);
  return [`'self'`, ...registered, ...(project.allow_loopback ? LOOPBACK_SITES : [])].join(' ');
}

export function pageHeaders(project: Project): Record<string, string> {
  return {
    'Content-Security-Policy': policy(sites(project), `'none'`),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/**
 * Shows a refusal as a page to browsers, and as an error of the wire to other clients. Never redirects.
 *
 * @param reasons as in `errorPage`
 */
export function showRefusal(
  context: AppContext,
  project: Project,
  title: string,
  refusal: Refusal,
  reasons?: string,
): Response | Promise<Response> {
  if (context.req.header('accept')?.includes('text/html') !== true) throw refusal;
  const page = errorPage(title, refusal.type, refusal.message, reasons);
  return context.html(page, refusal.status as 400, pageHeaders(project));
}
