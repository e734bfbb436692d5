import { html } from 'hono/html';
import type { Html } from '#provider/base/http/page-frame.ts';
import { KEY_COMMANDS } from './commands.ts';
import { listKeys } from './store.ts';
import { act, page, table, time } from '../desk/layout.ts';
import type { PageRequest } from '../desk/route-context.ts';

const USES = { apps: 'tokens of connected apps', sessions: 'session JWTs' } as const;

/** The keys that sign tokens. */
export async function keysPage({ services, operator, query }: PageRequest): Promise<Html> {
  const keys = await listKeys(services);
  const rotate = KEY_COMMANDS['keys rotate'];
  return page({
    title: 'Signing keys',
    section: 'keys',
    operator,
    done: query('done'),
    body: html`${table(
        'Keys, the newest first',
        ['Signs', 'State', 'Made', 'Signs from', 'ID'],
        keys.map(({ purpose, state, created_at, active_at, kid }) => [
          USES[purpose],
          state === 'signs' ? html`<strong>signs</strong>` : state,
          time(created_at),
          time(active_at),
          html`<code>${kid}</code>`,
        ]),
        'No key yet. The first sign-in makes one.',
      )}
      <p>A new key is made every 90 days, and signs at once. What the old one signed stays valid until it expires.</p>
      <div class="acts">
        ${act(operator, rotate, 'keys/rotate', 'Make a new key for apps', { fields: { purpose: 'apps' } })}
        ${act(operator, rotate, 'keys/rotate', 'Make a new key for sessions', { fields: { purpose: 'sessions' } })}
      </div>`,
  });
}
