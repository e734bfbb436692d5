import { html } from 'hono/html';
import { MARK } from '#provider/base/http/mark.ts';
import { pageFrame, type Html } from '#provider/base/http/page-frame.ts';
import type { Operator } from './operator-store.ts';
import { mayRead, mayRun, type PageName, type Role } from './roles.ts';

export const SECTIONS = [
  ['users', 'Users'],
  ['clients', 'Clients'],
  ['agents', 'Agents'],
  ['connections', 'Connections'],
  ['passkeys', 'Passkeys'],
  ['keys', 'Keys'],
  ['outbox', 'Messages'],
  ['audit', 'Audit log'],
  ['people', 'Operators'],
] as const satisfies readonly (readonly [PageName, string])[];

export type Section = (typeof SECTIONS)[number][0];

/** The notices after an action. No other text can be shown, whatever the URL contains. */
const DONE = {
  locked: 'The user is locked, and signed out everywhere.',
  unlocked: 'The user may log in again.',
  'recovery-shortened': 'The recovery can be finished now.',
  'signed-out': 'The sessions have ended.',
  deleted: 'Deleted.',
  retried: 'The messages will be sent again.',
  purged: 'The messages are deleted.',
  created: 'The client was created.',
  finished: 'The previous secret no longer works. The next one is the only secret now.',
  cancelled: 'The next secret was dropped. The client keeps the one it had.',
  approved: 'The agent can ask users for access.',
  refused: 'The agent is refused, and the access that users gave it has ended.',
  rotated: 'The new key signs from now on.',
  removed: 'The operator is removed, and logged out everywhere.',
} as const;

export type NoticeKey = keyof typeof DONE;

export interface Page {
  readonly title: string;
  readonly section: Section | null;
  /** Null for a page that needs no session. */
  readonly operator: Operator | null;
  readonly done?: string | undefined;
  readonly body: Html;
  /** The name of a script of this server. */
  readonly script?: 'enrol' | 'entered' | 'login';
}

export function page({ title, section, operator, done, body, script }: Page): Html {
  const notice = done !== undefined && Object.hasOwn(DONE, done) ? DONE[done as NoticeKey] : undefined;
  const scripts = ['page', ...(script === undefined ? [] : [script])].map((name) => `/operators/${name}.js`);
  return pageFrame(
    { title: `${title} · Operators`, css: '/operators/page.css', scripts },
    html`<a class="skip" href="#main">Skip to the content</a>
      ${operator === null ? '' : head(operator, section)}
      <main id="main" tabindex="-1">
        ${operator === null ? html`<span class="brand">${MARK} Portico</span>` : ''}
        <h1>${title}</h1>
        ${notice === undefined ? '' : html`<p class="done" role="status">${notice}</p>`} ${body}
      </main>`,
  );
}

function head(operator: Operator, current: Section | null): Html {
  const { name, role } = operator;
  return html`<header>
    <span class="brand">${MARK} Portico</span>
    <nav aria-label="Sections">
      ${SECTIONS.filter(([section]) => mayRead(operator, section)).map(
        ([section, title]) =>
          html`<a href="/operators/${section}" ${section === current ? html`aria-current="page"` : ''}>${title}</a>`,
      )}
    </nav>
    <form method="post" action="/operators/logout">
      <span>${name}${role === 'admin' ? '' : ` (${role})`}</span>
      <button>Log out</button>
    </form>
  </header>`;
}

/** A time in UTC. A script on every page shows it in the browser's time zone. */
export function time(at: Date | string | null): Html | string {
  if (at === null) return '–';
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/**
 * A table that scrolls by itself if it is wider than the screen.
 *
 * @param empty the text if there are no rows
 */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
  empty: Html | string,
): Html {
  if (rows.length === 0) return html`<p class="none">${empty}</p>`;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((each) => html`<th scope="col">${each}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A link to the next page, with the filters of this one. */
export function more(
  path: string,
  filters: Readonly<Record<string, string | undefined>>,
  next: string | null,
): Html | string {
  if (next === null) return '';
  const query = new URLSearchParams({ after: next });
  for (const [name, value] of Object.entries(filters)) if (value !== undefined && value !== '') query.set(name, value);
  return html`<p><a class="more" href="/operators/${path}?${query.toString()}">More</a></p>`;
}

/** A button that posts, only for operators who may run the command. */
export function act(
  operator: Operator,
  command: { readonly roles: readonly Role[] },
  action: string,
  label: string,
  {
    fields = {},
    danger = false,
  }: { readonly fields?: Readonly<Record<string, string>>; readonly danger?: boolean } = {},
): Html | string {
  if (!mayRun(operator, command)) return '';
  return html`<form method="post" action="/operators/${action}" class="act">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button ${danger ? html`class="danger"` : ''}>${label}</button>
  </form>`;
}

/** The mistake in a field of a submitted form. */
export interface Fault {
  readonly field: string;
  readonly message: string | readonly string[];
}

export interface Field {
  /** The id and the name of the field. */
  readonly name: string;
  readonly label: Html | string;
  readonly hint?: Html | string;
  readonly fault?: Fault | undefined;
}

/** A field with its label and, beneath it, its mistake. The first wrong field has the focus. */
export function field({ name, label, hint, fault }: Field, control: (attributes: Html) => Html): Html {
  const wrong = fault?.field === name ? [fault.message].flat() : [];
  const about = [hint === undefined ? '' : `${name}-hint`, wrong.length === 0 ? '' : `${name}-wrong`];
  const ids = about.filter(Boolean).join(' ');
  const attributes = html`id="${name}" name="${name}" ${ids === '' ? '' : html`aria-describedby="${ids}"`}
  ${wrong.length === 0 ? '' : html`aria-invalid="true" autofocus`}`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint === undefined ? '' : html`<p id="${name}-hint" class="hint">${hint}</p>`} ${control(attributes)}
    ${
      wrong.length === 0
        ? ''
        : html`<ul id="${name}-wrong" class="wrong">
            ${wrong.map((each) => html`<li>${each}</li>`)}
          </ul>`
    }
  </div>`;
}

/**
 * A form for an action that cannot be undone, only for operators who may run the command. It is closed until it is needed or was refused.
 */
export function dangerous(
  { operator, command }: { readonly operator: Operator; readonly command: { readonly roles: readonly Role[] } },
  title: string,
  action: string,
  isRefused: boolean,
  body: Html,
): Html | string {
  if (!mayRun(operator, command)) return '';
  return html`<details class="form dangerous" ${isRefused ? html`open` : ''}>
    <summary>${title}</summary>
    <form method="post" action="/operators/${action}">${body}</form>
  </details>`;
}

/** A field in which an operator confirms an action that cannot be undone. */
export function confirmField(options: Field): Html {
  return field(options, (attributes) => html`<input ${attributes} autocomplete="off" required maxlength="256" />`);
}
