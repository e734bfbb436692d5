import { html } from 'hono/html';
import { MARK } from '#provider/base/http/mark.ts';
import { pageFrame, type Html } from '#provider/base/http/page-frame.ts';

/** The pages that link to each other. */
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

/** A page of `--dev`: the common header, then the page's own content. */
export function page({ path, title, demoUrl, script }: Page, body: Html): Html {
  const scripts = script === undefined ? [] : [script];
  return pageFrame(
    { title, css: `${path}.css`, scripts, referrer: 'no-referrer' },
    html`${header(path, demoUrl)} ${body}`,
  );
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
