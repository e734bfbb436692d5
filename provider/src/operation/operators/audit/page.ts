import { html } from 'hono/html';
import type { Html } from '#provider/base/http/page-frame.ts';
import { AUDIT_COMMANDS } from './commands.ts';
import { listAudit } from './audit-list.ts';
import { field, more, page, table, time } from '../desk/layout.ts';
import type { Operator } from '../desk/operator-store.ts';
import { mayRead, mayRun } from '../desk/roles.ts';
import { PAGE_LIMIT, type PageRequest } from '../desk/route-context.ts';
import { detailWords, eventWords, methodWords, words } from '../desk/words.ts';

type AuditRows = Awaited<ReturnType<typeof listAudit>>['rows'];

const userLink = (operator: Operator, user_id: string): Html | string =>
  mayRead(operator, 'users/:user')
    ? html`<a href="/operators/users/${encodeURIComponent(user_id)}">${user_id}</a>`
    : user_id;

/** @param isOfUser whether it is on the page of the user whom each row is about */
export function auditTable(operator: Operator, caption: string, rows: AuditRows, isOfUser = false): Html {
  return table(
    caption,
    ['When', 'Event', 'Outcome', ...(isOfUser ? [] : ['User']), 'By', 'Details'],
    rows.map(({ created_at, event, outcome, user_id, actor_kind, actor_id, method, details }) => [
      time(created_at),
      eventWords(event),
      outcome === 'refused' ? html`<strong>refused</strong>` : outcome,
      ...(isOfUser ? [] : [user_id === null ? '–' : userLink(operator, user_id)]),
      actor_kind === 'user' && actor_id === user_id ? 'the user' : `${words(actor_kind)} ${actor_id ?? ''}`,
      [methodWords(method ?? ''), detailWords(details)].filter(Boolean).join(', '),
    ]),
    'No matching events.',
  );
}

/** The audit log. */
export async function auditPage({ services, operator, query }: PageRequest): Promise<Html> {
  const names = ['user_id', 'event', 'outcome', 'address'] as const;
  const values = Object.fromEntries(names.map((name) => [name, query(name)]));
  // The page shows the names of events in words.
  const filters = { ...values, event: values['event']?.trim().replaceAll(' ', '_') };
  const { rows, next } = await listAudit(services, { ...filters, before: query('after'), limit: PAGE_LIMIT });
  const { user_id = '', event = '', outcome = '', address = '' }: Partial<Record<string, string>> = filters;
  return page({
    title: 'Audit log',
    section: 'audit',
    operator,
    body: html`<form method="get" action="/operators/audit" role="search" class="filter">
        <span class="pair">
          <label for="user_id">User ID</label>
          <input id="user_id" name="user_id" value="${user_id}" maxlength="128" />
        </span>
        <span class="pair">
          <label for="event">Event</label>
          <input id="event" name="event" value="${words(event)}" maxlength="40" />
        </span>
        <span class="pair">
          <label for="address">Network of the IP address</label>
          <input id="address" name="address" value="${address}" maxlength="45" />
        </span>
        <label class="check">
          <input type="checkbox" name="outcome" value="refused" ${outcome === 'refused' ? html`checked` : ''} /> Refused
          only
        </label>
        <button>Filter</button>
      </form>
      ${auditTable(operator, 'What happened, the newest first', rows)} ${more('audit', { ...filters }, next)}
      ${exportForm(operator)}`,
  });
}

/** The file for a collector. */
function exportForm(operator: Operator): Html | string {
  if (!mayRun(operator, AUDIT_COMMANDS['audit export'])) return '';
  return html`<form method="get" action="/operators/audit/export" class="form">
    <h2>Export</h2>
    ${field(
      {
        name: 'after',
        label: 'After line',
        hint: 'The metadata.sequence of the last line that you have. If it is empty, the file begins with the oldest row. It lacks the last half minute.',
      },
      (attributes) => html`<input ${attributes} inputmode="numeric" maxlength="15" autocomplete="off" />`,
    )}
    <button>Export as OCSF</button>
  </form>`;
}
