import { html } from 'hono/html';
import type { Html } from '#provider/base/http/page-frame.ts';
import { OUTBOX_COMMANDS } from './commands.ts';
import { listMessages } from './store.ts';
import { act, dangerous, field, more, page, table, time, confirmField, type Fault } from '../desk/layout.ts';
import type { Operator } from '../desk/operator-store.ts';
import { PAGE_LIMIT, type PageRequest } from '../desk/route-context.ts';
import { choice, methodWords, words } from '../desk/words.ts';

const STATES = ['waiting', 'sent', 'dead', 'expired'];
const FINAL = STATES.slice(1);

/** The messages of the outbox. */
export async function outboxPage({ services, operator, query, fault }: PageRequest): Promise<Html> {
  const state = query('state');
  const { messages, next } = await listMessages(services, { state, after: query('after'), limit: PAGE_LIMIT });
  const retry = OUTBOX_COMMANDS['outbox retry'];
  return page({
    title: 'Messages',
    section: 'outbox',
    operator,
    done: query('done'),
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
          ? html`<div class="acts">${act(operator, retry, 'outbox/retry', 'Send all dead messages again')}</div>`
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
          is === 'dead' ? act(operator, retry, 'outbox/retry', 'Send again', { fields: { id } }) : '',
        ]),
        state === undefined
          ? 'No messages yet. They appear here when the server writes the first code, link or notice.'
          : `No ${state} messages.`,
      )}
      ${more('outbox', { state }, next)} ${messages.length > 0 || fault !== undefined ? purgeForm(operator, fault) : ''}`,
  });
}

function purgeForm(operator: Operator, fault: Fault | undefined): Html | string {
  return dangerous(
    { operator, command: OUTBOX_COMMANDS['outbox purge'] },
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
      ${confirmField({ name: 'confirm', label: 'Type the state again to delete them for good', fault })}
      <button class="danger">Delete</button>`,
  );
}
