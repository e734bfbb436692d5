import { html } from 'hono/html';
import type { AgentMetadata } from '#provider/project/registry/agent-metadata.ts';
import type { Html } from '#provider/base/http/page-frame.ts';
import { AGENT_COMMANDS } from './commands.ts';
import { listAgents, readAgent, type AgentDecision, type ShownAgent } from './store.ts';
import type { Operator } from '../desk/operator-store.ts';
import { act, dangerous, more, page, table, time, confirmField, type Fault } from '../desk/layout.ts';
import { PAGE_LIMIT, type PageRequest } from '../desk/route-context.ts';

const DECISIONS: Readonly<Record<AgentDecision | 'none', string>> = {
  approved: 'approved',
  refused: 'refused',
  none: 'none yet',
};

const ORIGINS = { document: 'metadata document', registration: 'registration' } as const;

/** Agents, newest first. */
export async function agentsPage({ services, operator, query }: PageRequest): Promise<Html> {
  const waiting = query('waiting') === '1';
  const { rows, next } = await listAgents(services.db, { after: query('after'), limit: PAGE_LIMIT, waiting });
  return page({
    title: 'Agents',
    section: 'agents',
    operator,
    done: query('done'),
    body: html`<p class="hint">
        Apps that no operator registered.
        ${
          services.project.agents.approval_required
            ? 'They cannot ask users for access before an operator approves them.'
            : 'They can ask users for access without approval, unless they are refused.'
        }
      </p>
      <form method="get" action="/operators/agents" class="filter">
        <label class="check">
          <input type="checkbox" name="waiting" value="1" ${waiting ? html`checked` : ''} /> Without a decision only
        </label>
        <button>Filter</button>
      </form>
      ${table(
        'Agents, the newest first',
        ['Name', 'ID', 'From', 'Decision', 'Users', 'Since'],
        rows.map(({ client_id, name, origin, decision, users, created_at }) => [
          html`<a href="/operators/agents/${encodeURIComponent(client_id)}">${name}</a>`,
          html`<code>${client_id}</code>`,
          ORIGINS[origin],
          decision === 'refused' ? html`<strong>refused</strong>` : DECISIONS[decision],
          String(users),
          time(created_at),
        ]),
        waiting ? 'No agent waits for a decision.' : 'No agents yet. They appear here when they first ask for access.',
      )}
      ${more('agents', { waiting: waiting ? '1' : undefined }, next)}`,
  });
}

const list = (texts: readonly string[] | undefined): Html | string =>
  texts === undefined || texts.length === 0 ? '–' : html`${texts.map((text) => html`<code>${text}</code><br />`)}`;

const keysOf = ({ jwks, jwks_uri }: AgentMetadata): Html | string =>
  list(jwks_uri === undefined ? jwks?.keys.map((key) => String(key['kid'] ?? key['kty'])) : [jwks_uri]);

const pagesOf = ({ client_uri, tos_uri, policy_uri, logo_uri }: AgentMetadata): readonly string[] =>
  [client_uri, tos_uri, policy_uri, logo_uri].filter((uri) => uri !== undefined);

/** One agent, with its own unchecked description. */
export async function agentPage({ services, operator, query, param, fault }: PageRequest): Promise<Html> {
  const agent = await readAgent(services, param('agent'));
  const { client_id, name, origin, decision, users, created_at, changed_at, metadata } = agent;
  return page({
    title: name,
    section: 'agents',
    operator,
    done: query('done'),
    body: html`${
        fault?.field === 'version'
          ? html`<ul class="wrong" role="alert">
              <li>${fault.message}</li>
            </ul>`
          : ''
      }
      <dl>
        <dt>ID</dt>
        <dd><code>${client_id}</code></dd>
        <dt>From</dt>
        <dd>${ORIGINS[origin]}</dd>
        <dt>Decision</dt>
        <dd>${DECISIONS[decision]}</dd>
        <dt>Users who gave it access</dt>
        <dd>${String(users)}</dd>
        <dt>Since</dt>
        <dd>${time(created_at)}</dd>
        <dt>Addresses or keys changed</dt>
        <dd>${time(changed_at)}</dd>
      </dl>
      <h2>What it says about itself</h2>
      <p class="hint">Nobody has checked this, except that a metadata document is at the address of the id.</p>
      <dl>
        <dt>Redirect URIs</dt>
        <dd>${list(metadata.redirect_uris)}</dd>
        <dt>After a logout</dt>
        <dd>${list(metadata.post_logout_redirect_uris)}</dd>
        <dt>Type</dt>
        <dd>${metadata.application_type}</dd>
        <dt>Authentication</dt>
        <dd>${metadata.token_endpoint_auth_method}</dd>
        <dt>Keys</dt>
        <dd>${keysOf(metadata)}</dd>
        <dt>Scopes</dt>
        <dd>${metadata.scope ?? 'all that agents can request'}</dd>
        <dt>Pages and logo</dt>
        <dd>${list(pagesOf(metadata))}</dd>
        <dt>Contacts</dt>
        <dd>${list(metadata.contacts)}</dd>
      </dl>
      <p>
        <a href="/operators/connections?client=${encodeURIComponent(client_id)}">Failed connections of this agent</a>
      </p>
      ${decisions(operator, agent, fault)}`,
  });
}

function decisions(operator: Operator, { client_id, decision, version }: ShownAgent, fault: Fault | undefined): Html {
  const at = `agents/${encodeURIComponent(client_id)}`;
  const approve =
    decision === 'approved'
      ? ''
      : html`<div class="acts">
          ${act(operator, AGENT_COMMANDS['agents approve'], `${at}/approve`, 'Approve the agent', { fields: { version } })}
        </div>`;
  if (decision === 'refused') return html`${approve}`;
  return html`${approve}
  ${dangerous(
    { operator, command: AGENT_COMMANDS['agents refuse'] },
    'Refuse this agent',
    `${at}/refuse`,
    fault?.field === 'confirm',
    html`<p>This ends the access that users gave it.</p>
      ${confirmField({ name: 'confirm', label: html`Type <code>${client_id}</code> to refuse the agent`, fault })}
      <button class="danger">Refuse</button>`,
  )}`;
}
