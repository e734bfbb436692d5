import { html } from 'hono/html';
import { MARK } from '../base/http/mark.ts';
import type { HtmlEscapedString } from 'hono/utils/html';

/** The pages that lead to each other. */
const PAGES = { '/dev/inbox': 'Inbox', '/dev/mails': 'Mails', '/dev/connections': 'Connections' } as const;

interface Page {
  /** Its style sheet has the same path and `.css`. */
  readonly path: keyof typeof PAGES | '/admin';
  readonly title: string;
  /** http or https, which the option `--demo-url` checks. */
  readonly demoUrl: string | undefined;
  /** The path of a module. */
  readonly script?: string;
}

/** A page of `--dev`: the header that all have, and then what is its own. */
export function page({ path, title, demoUrl, script }: Page, body: HtmlEscapedString | Promise<HtmlEscapedString>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${path}.css" />
        ${script === undefined ? '' : html`<script src="${script}" type="module"></script>`}
      </head>
      <body>
        ${header(path, demoUrl)} ${body}
      </body>
    </html>`;
}

/** The mark, and links to the other pages and to the demo, if there is one. */
function header(here: Page['path'], demoUrl: string | undefined) {
  const mark = html`${MARK} Portico`;
  return html`<header class="top">
    <div class="top-in">
      ${demoUrl === undefined ? html`<span class="brand">${mark}</span>` : html`<a class="brand" href="${demoUrl}">${mark}</a>`}
      <nav aria-label="Pages">
        ${demoUrl === undefined ? '' : html`<a href="${demoUrl}">Demo</a>`}
        ${Object.entries(PAGES).map(
          ([path, name]) => html`<a href="${path}" ${path === here ? html`aria-current="page"` : ''}>${name}</a>`,
        )}
      </nav>
    </div>
  </header>`;
}
