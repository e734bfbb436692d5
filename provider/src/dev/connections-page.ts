import { html } from 'hono/html';
import type { ListedFailure } from '#provider/apps/idp/failures/connection-failures.ts';
import { ruleOf } from '#provider/apps/idp/protocol/failure-rules.ts';
import { page } from './frame.ts';

/** The page that shows a developer why an app could not connect. */
export function connectionsPage(failures: readonly ListedFailure[], demoUrl: string | undefined) {
  return page(
    { path: '/dev/connections', title: 'Failed connections', demoUrl },
    html`<main>
      <h1>Failed connections</h1>
      <p class="lead">
        Requests of other apps and of agents that this provider refused, the newest first. The same as JSON:
        <a href="/dev/connections.json">connections.json</a>
      </p>
      ${
        failures.length === 0
          ? html`<p id="empty">Nothing failed. An app’s refused request appears here with the reason and the rule.</p>`
          : html`<ol aria-label="Failed connections, the newest first">
              ${failures.map((failure) => html`<li>${card(failure)}</li>`)}
            </ol>`
      }
    </main>`,
  );
}

function card({ step, error, message, client_id, sent, expected, times, last_at, rule: name }: ListedFailure) {
  const rule = ruleOf(name);
  const at = last_at.toISOString();
  return html`<article>
    <p class="meta">
      <span class="channel">${rule?.title ?? name}</span><span>${step}, answered <code>${error}</code></span
      ><time datetime="${at}">${at.slice(0, 19).replace('T', ' ')}${times === 1 ? '' : `, ${times} times`}</time>
    </p>
    <h2>${message}</h2>
    <dl>
      <dt>Client</dt>
      <dd>${client_id === '' ? 'not named' : html`<code>${client_id}</code>`}</dd>
      <dt>Sent</dt>
      <dd>${lines(sent.map(([parameter, value]) => `${parameter} = ${value}`))}</dd>
      <dt>Expected</dt>
      <dd>${lines(expected)}</dd>
      <dt>Rule</dt>
      <dd>
        ${rule?.text ?? ''}
        ${rule?.url === undefined ? (rule?.source ?? name) : html`<a href="${rule.url}" rel="noreferrer">${rule.source}</a>`}
      </dd>
    </dl>
  </article>`;
}

const lines = (texts: readonly string[]) =>
  texts.length === 0
    ? '–'
    : html`<ul>
        ${texts.map((text) => html`<li><code>${text}</code></li>`)}
      </ul>`;
