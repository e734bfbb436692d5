import { html } from 'hono/html';
import type { Html } from '#provider/base/http/page-frame.ts';
import { page } from '../desk/layout.ts';
import type { Row } from '../desk/listing.ts';
import type { Operator } from '../desk/operator-store.ts';

/** Shows a new secret, if the client has one. The server stores only its hash, and no browser may store the page. */
export function secretPage({ client_id: id, client_secret: secret }: Row, operator: Operator): Html | undefined {
  if (typeof id !== 'string' || typeof secret !== 'string') return undefined;
  return page({
    title: 'The new secret',
    section: 'clients',
    operator,
    body: html`<p>This is the secret of the client <code>${id}</code>.</p>
      <p><code class="secret">${secret}</code></p>
      <p class="done" role="status">Copy it now: it is shown only this once.</p>
      <p><a href="/operators/clients/${encodeURIComponent(id)}">Back to the client</a></p>`,
  });
}
