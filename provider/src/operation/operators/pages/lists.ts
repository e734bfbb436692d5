import { html } from 'hono/html';
import type { Html } from '../../../base/http/page-frame.ts';
import type { listAudit } from '../audit-list.ts';
import type { listMessages } from '../messages.ts';
import type { Operator } from '../operator-store.ts';
import { act, dangerous, field, more, page, table, time, typed, type Fault } from './layout.ts';
import { choice, detailWords, eventWords, methodWords, words } from './words.ts';

type AuditRows = Awaited<ReturnType<typeof listAudit>>['rows'];

const userLink = (user_id: string | null): Html | string =>
  user_id === null ? '–' : html`<a href="/operators/users/${encodeURIComponent(user_id)}">${user_id}</a>`;

/** @param isOfUser whether it stands on the page of the user whom each row is about */
export function auditTable(caption: string, rows: AuditRows, isOfUser = false): Html {
  return table(
    caption,
    ['When', 'Event', 'Outcome', ...(isOfUser ? [] : ['User']), 'By', 'Details'],
    rows.map(({ created_at, event, outcome, user_id, actor_kind, actor_id, method, details }) => [
      time(created_at),
      eventWords(event),
      outcome === 'refused' ? html`<strong>refused</strong>` : outcome,
      ...(isOfUser ? [] : [userLink(user_id)]),
      actor_kind === 'user' && actor_id === user_id ? 'the user' : `${words(actor_kind)} ${actor_id ?? ''}`,
      [methodWords(method ?? ''), detailWords(details)].filter(Boolean).join(', '),
    ]),
    'No matching events.',
  );
}

export interface AuditFilters {
  readonly user_id?: string | undefined;
  readonly event?: string | undefined;
  readonly outcome?: string | undefined;
  readonly address?: string | undefined;
}

export function auditPage(
  operator: Operator,
  { rows, next }: Awaited<ReturnType<typeof listAudit>>,
  filters: AuditFilters,
): Html {
  const { user_id = '', event = '', outcome = '', address = '' } = filters;
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
      ${auditTable('What happened, the newest first', rows)} ${more('audit', { ...filters }, next)}`,
  });
}

const STATES = ['waiting', 'sent', 'dead', 'expired'];
const FINAL = STATES.slice(1);

export function outboxPage(
  operator: Operator,
  { messages, next }: Awaited<ReturnType<typeof listMessages>>,
  {
    state,
    done,
    fault,
  }: { readonly state?: string | undefined; readonly done?: string | undefined; readonly fault?: Fault },
): Html {
  return page({
    title: 'Messages',
    section: 'outbox',
    operator,
    done,
    body: html`<form method="get" action="/operators/outbox" class="filter">
        <span class="pair">
          <label for="state">State</label>
          <select id="state" name="state">
            <option value="">Any</option>
            ${STATES.map((each) => html`<option value="${each}" ${each === state ? html`selected` : ''}>${choice(each)}</option>`)}
          </select>
        </span>
        <button>Filter</button>
      </form>
      ${
        messages.some(({ state: is }) => is === 'dead')
          ? html`<div class="acts">${act(operator, 'outbox/retry', 'Send all dead messages again')}</div>`
          : ''
      }
      ${table(
        'Messages, the newest first',
        ['When', 'State', 'Channel', 'Kind', 'To', 'Tries', 'Last error', ''],
        messages.map(({ id, at, state: is, channel, kind, recipient, attempts, last_error }) => [
          time(at),
          is === 'dead' ? html`<strong>dead</strong>` : is,
          methodWords(channel),
          words(kind),
          recipient,
          String(attempts),
          last_error ?? '',
          is === 'dead' ? act(operator, 'outbox/retry', 'Send again', { fields: { id } }) : '',
        ]),
        state === undefined || state === ''
          ? 'No messages yet. They appear here when the server writes the first code, link or notice.'
          : `No ${state} messages.`,
      )}
      ${more('outbox', { state }, next)}
      ${operator.role === 'admin' && (messages.length > 0 || fault !== undefined) ? purgeForm(fault) : ''}`,
  });
}

function purgeForm(fault: Fault | undefined): Html {
  return dangerous(
    'Delete messages',
    'outbox/purge',
    fault !== undefined,
    html`${field(
        { name: 'final_state', label: 'Delete all messages that are', fault },
        (attributes) =>
          html`<select ${attributes} required>
            <option value="">Choose a state</option>
            ${FINAL.map((each) => html`<option value="${each}">${choice(each)}</option>`)}
          </select>`,
      )}
      ${typed({ name: 'confirm', label: 'Type the state again to delete them for good', fault })}
      <button class="danger">Delete</button>`,
  );
}
