import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface PageHead {
  /** Default: English. */
  readonly language?: string;
  readonly direction?: 'ltr' | 'rtl';
  readonly title: string;
  /** The path of the style sheet (see `styleSheet`). */
  readonly css: string;
  /** The paths of modules. */
  readonly scripts?: readonly string[];
  /** For pages without a `Referrer-Policy` header. */
  readonly referrer?: 'no-referrer';
}

/** The frame of every page of this server. It has no inline style and loads no icon, so that a strict policy allows it. */
export function pageFrame(head: PageHead, body: Html): Html {
  const { language = 'en', direction = 'ltr', title, css, scripts = [], referrer } = head;
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${referrer === undefined ? '' : html`<meta name="referrer" content="${referrer}" />`}
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${css}" />
        ${scripts.map((path) => html`<script src="${path}" type="module"></script>`)}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}
