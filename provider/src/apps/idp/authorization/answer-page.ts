import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { NOTICES_CSS } from '#provider/accounts/notices/paths.ts';
import { pageFrame, type Html } from '#provider/base/http/page-frame.ts';
import type { PostedAnswer } from './response-modes.ts';

/** Submits the form immediately, so that the page is not seen. Without scripts a person presses the button. */
const SCRIPT = 'document.forms[0].submit()';

/**
 * The headers of the page. `form-action` allows all sites, because browsers apply it to redirects after the form, too, and the app decides
 * those. The app sees this server as the origin of the form. There is no `Cross-Origin-Opener-Policy`, because an app may have opened the
 * page in a separate window.
 */
export const ANSWER_HEADERS = {
  'Content-Security-Policy': [
    `default-src 'none'`,
    `style-src 'self'`,
    `img-src data:`,
    `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
    `base-uri 'none'`,
    `form-action https: http:`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'origin',
  'Cache-Control': 'no-store',
};

/** The page that posts the answer to the app (OAuth 2.0 Form Post Response Mode). */
export function answerPage({ redirect_uri, fields }: PostedAnswer): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}" />`,
  );
  return pageFrame(
    { title: 'Back to the app', css: NOTICES_CSS },
    html`<main>
      <h1>Back to the app</h1>
      <form method="post" action="${redirect_uri}">
        ${inputs}
        <p>Your answer goes to <strong>${new URL(redirect_uri).host}</strong>.</p>
        <button type="submit" class="primary">Continue</button>
      </form>
      ${raw(`<script>${SCRIPT}</script>`)}
    </main>`,
  );
}
