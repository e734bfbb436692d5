import { html } from 'hono/html';
import type { Html } from '#provider/base/http/page-frame.ts';
import { PEOPLE_COMMANDS } from './commands.ts';
import { listOperators, type Operator } from '../desk/operator-store.ts';
import { dangerous, page, table, time, confirmField, type Fault } from '../desk/layout.ts';
import { ROLES } from '../desk/roles.ts';
import type { PageRequest } from '../desk/route-context.ts';

/** The list of operators. The page offers no invitations, because a stolen session must not create another operator. */
export async function operatorsPage({ services, operator, query, fault }: PageRequest): Promise<Html> {
  const operators = await listOperators(services);
  return page({
    title: 'Operators',
    section: 'people',
    operator,
    done: query('done'),
    body: html`${table(
        'Who may use this page',
        ['Name', 'Role', 'Passkeys, by the time of their enrolment', 'Since'],
        operators.map(({ name, role, issuer, enrolled_at, created_at }) => [
          name === operator.name ? html`${name} (you)` : name,
          html`<strong>${role}</strong>: ${ROLES[role]}`,
          enrolled_at.length === 0
            ? issuer === null
              ? 'none yet'
              : html`logs in at <code>${issuer}</code>`
            : html`${enrolled_at.map((at) => html`${time(at)}<br />`)}`,
          time(created_at),
        ]),
        'Nobody.',
      )}
      <p>Invite an operator on the server: <code>portico-provider operators invite NAME</code></p>
      ${operators.length > 1 || fault !== undefined ? removeForm(operator, fault) : ''}`,
  });
}

function removeForm(operator: Operator, fault: Fault | undefined): Html | string {
  return dangerous(
    { operator, command: PEOPLE_COMMANDS['operators remove'] },
    'Remove an operator',
    'people/remove',
    fault !== undefined,
    html`<p>This ends their passkeys, sessions and invitations at once.</p>
      ${confirmField({ name: 'name', label: 'Type the name of the operator', fault })}
      <button class="danger">Remove</button>`,
  );
}
