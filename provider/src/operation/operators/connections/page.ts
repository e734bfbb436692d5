import { html } from 'hono/html';
import { listFailures, type ListedFailure } from '#provider/apps/idp/failures/connection-failures.ts';
import { ruleOf, type ConnectionRule } from '#provider/apps/idp/protocol/failure-rules.ts';
import type { Html } from '#provider/base/http/page-frame.ts';
import { more, page, time } from '../desk/layout.ts';
import { PAGE_LIMIT, type PageRequest } from '../desk/route-context.ts';

/** The failed connections, for one client or all. */
export async function connectionsPage({ services, operator, query }: PageRequest): Promise<Html> {
  const client = query('client');
  const filter = { client_id: client, after: query('after'), limit: PAGE_LIMIT };
  const { failures, next } = await listFailures(services, filter);
  return page({
    title: 'Failed connections',
    section: 'connections',
    operator,
    body: html`<p class="hint">Requests of apps that the server refused in the last seven days, the newest first.</p>
      <form method="get" action="/operators/connections" role="search" class="filter">
        <span class="pair">
          <label for="client">Client ID</label>
          <input id="client" name="client" value="${client ?? ''}" maxlength="256" />
        </span>
        <button>Filter</button>
      </form>
      ${failures.length === 0 ? html`<p class="none">${client === undefined ? 'No app was' : 'This client was not'} refused in the last seven days.</p>` : failures.map(failureCard)}
      ${more('connections', { client }, next)}`,
  });
}

/** One failure: the step, what was sent, what was expected, and the rule. */
function failureCard({ failure_id, step, error, message, client_id, times, last_at, ...failure }: ListedFailure): Html {
  const rule = ruleOf(failure.rule);
  return html`<section class="form" aria-labelledby="${failure_id}">
    <h2 id="${failure_id}">${rule?.title ?? failure.rule}: ${message}</h2>
    <dl>
      <dt>Client</dt>
      <dd>${client_id === '' ? '–' : html`<code>${client_id}</code>`}</dd>
      <dt>Step</dt>
      <dd>${step}, answered <code>${error}</code></dd>
      <dt>Sent</dt>
      <dd>
        ${failure.sent.length === 0 ? '–' : failure.sent.map(([name, value]) => html`<code>${name} = ${value}</code><br />`)}
      </dd>
      <dt>Expected</dt>
      <dd>${failure.expected.length === 0 ? '–' : failure.expected.map((line) => html`<code>${line}</code><br />`)}</dd>
      <dt>Rule</dt>
      <dd>${rule === null ? failure.rule : ruleText(rule)}</dd>
      <dt>When</dt>
      <dd>${time(last_at)}${times === 1 ? '' : `, ${times} times`}</dd>
    </dl>
  </section>`;
}

function ruleText({ text, source, url }: ConnectionRule): Html {
  return html`${text}
  ${url === undefined ? html`<code>${source}</code>` : html`<a href="${url}" rel="noreferrer">${source}</a>`}`;
}
