import { html } from 'hono/html';
import { CONNECTED_APP_TYPES } from '#server-rules/connected-apps.ts';
import type { Html } from '#provider/base/http/page-frame.ts';
import { CLIENT_COMMANDS } from './commands.ts';
import { listClients, readClient, type ShownClient } from './store.ts';
import type { Operator } from '../desk/operator-store.ts';
import { act, dangerous, field, more, page, table, confirmField, type Fault } from '../desk/layout.ts';
import { PAGE_LIMIT, type PageRequest } from '../desk/route-context.ts';
import { mayRun } from '../desk/roles.ts';
import { choice, kindWords } from '../desk/words.ts';

/** The commands print a hyphen for a client without a secret. */
const secretWords = (secret: string): string => (secret === '-' ? '–' : secret);

export async function clientsPage({ services, operator, query, form, fault }: PageRequest): Promise<Html> {
  const { clients, next } = await listClients(services, { after: query('after') ?? '', limit: PAGE_LIMIT });
  const makes = mayRun(operator, CLIENT_COMMANDS['clients create']);
  return page({
    title: 'Clients',
    section: 'clients',
    operator,
    done: query('done'),
    body: html`${table(
      'Connected apps and M2M clients',
      ['Name', 'Kind', 'ID', 'From', 'Secret'],
      clients.map(({ client_id, kind, name, from, secret }) => [
        html`<a href="/operators/clients/${encodeURIComponent(client_id)}">${name}</a>`,
        kindWords(kind),
        html`<code>${client_id}</code>`,
        from,
        secretWords(secret),
      ]),
      makes ? 'No clients yet. Make the first below, or put it into the project file.' : 'No clients yet.',
    )}
    ${more('clients', {}, next)} ${makes ? createForm(form, fault) : ''}`,
  });
}

function createForm(form: URLSearchParams | undefined, fault: Fault | undefined): Html {
  const current = form === undefined ? 'third_party' : form.get('client_type');
  return html`<form method="post" action="/operators/clients" class="form">
    <h2>Make a connected app</h2>
    ${field(
      { name: 'client_name', label: 'Name', hint: 'Users see it when the app asks for access.', fault },
      (attributes) =>
        html`<input
          ${attributes}
          value="${form?.get('client_name')?.trim() ?? ''}"
          required
          maxlength="120"
          autocomplete="off"
        />`,
    )}
    ${field(
      {
        name: 'client_type',
        label: 'Type',
        hint: 'A public app runs on the device of the user, so it has no secret.',
        fault,
      },
      (attributes) =>
        html`<select ${attributes}>
          ${CONNECTED_APP_TYPES.map((each) => html`<option value="${each}" ${each === current ? html`selected` : ''}>${choice(kindWords(each))}</option>`)}
        </select>`,
    )}
    ${field(
      { name: 'redirect_urls', label: 'Redirect URLs', hint: 'One on each line.', fault },
      (attributes) =>
        html`<textarea ${attributes} spellcheck="false">${'\n'}${form?.get('redirect_urls') ?? ''}</textarea>`,
    )}
    <button class="primary">Make the app</button>
  </form>`;
}

export async function clientPage({ services, operator, query, param, fault }: PageRequest): Promise<Html> {
  const client = await readClient(services, param('client'));
  const { client_id, kind, name, from, secret, redirect_urls } = client;
  return page({
    title: name,
    section: 'clients',
    operator,
    done: query('done'),
    body: html`<dl>
        <dt>ID</dt>
        <dd><code>${client_id}</code></dd>
        <dt>Kind</dt>
        <dd>${kindWords(kind)}</dd>
        <dt>From</dt>
        <dd>${from}</dd>
        <dt>Secret</dt>
        <dd>${secretWords(secret)}</dd>
        <dt>Redirect URLs</dt>
        <dd>${redirect_urls.length === 0 ? '–' : redirect_urls.map((url) => html`<code>${url}</code><br />`)}</dd>
      </dl>
      ${mayRun(operator, CLIENT_COMMANDS['clients rotate']) ? changes(operator, client, fault) : ''}`,
  });
}

/** The actions on the client. The project file can be changed only on the server's machine. */
function changes(operator: Operator, client: ShownClient, fault: Fault | undefined): Html {
  const { client_id, kind, from, rotating } = client;
  const at = `clients/${encodeURIComponent(client_id)}`;
  const isPublic = kind.endsWith('_public');
  const rotate = act(operator, CLIENT_COMMANDS['clients rotate'], `${at}/rotate`, 'Make a new secret');
  return html`${isPublic || rotating ? '' : html`<div class="acts">${rotate}</div>`}
  ${
    from === 'project file'
      ? html`<p class="hint">
          The client is in the project file, and is changed and deleted there. After a new secret the previous one is
          good for a day.
        </p>`
      : html`${rotating ? rotationForm(operator, client, at, fault) : ''} ${deleteForm(operator, client, at, fault)}`
  }`;
}

function rotationForm(
  operator: Operator,
  { client_id }: ShownClient,
  at: string,
  fault: Fault | undefined,
): Html | string {
  return dangerous(
    { operator, command: CLIENT_COMMANDS['clients rotate'] },
    'End the rotation of the secret',
    `${at}/end-rotation`,
    fault?.field === 'confirm_rotation',
    html`<p>Two secrets work now. End the previous one once the app uses the next one, or end the next one.</p>
      ${confirmField({ name: 'confirm_rotation', label: html`Type <code>${client_id}</code> to end a secret for good`, fault })}
      <div class="acts">
        <button name="step" value="finish" class="danger">End the previous secret</button>
        <button name="step" value="cancel" class="danger">End the next secret</button>
      </div>`,
  );
}

function deleteForm(
  operator: Operator,
  { client_id }: ShownClient,
  at: string,
  fault: Fault | undefined,
): Html | string {
  return dangerous(
    { operator, command: CLIENT_COMMANDS['clients delete'] },
    'Delete this client',
    `${at}/delete`,
    fault?.field === 'confirm',
    html`${confirmField({ name: 'confirm', label: html`Type <code>${client_id}</code> to delete the client for good`, fault })}
      <button class="danger">Delete</button>`,
  );
}
