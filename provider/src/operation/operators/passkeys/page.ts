import { html } from 'hono/html';
import type { FunnelRow } from '#provider/accounts/passkeys/funnel-counts.ts';
import type { Html } from '#provider/base/http/page-frame.ts';
import { listFunnel } from './passkey-funnel.ts';
import { page, table } from '../desk/layout.ts';
import type { PageRequest } from '../desk/route-context.ts';
import { choice } from '../desk/words.ts';

const SPANS = [1, 7, 30, 90, 365];
const NUMBERS = new Intl.NumberFormat('en');
const PERCENT = new Intl.NumberFormat('en', { style: 'percent' });

type Counts = Pick<FunnelRow, 'offered' | 'made' | 'used' | 'failed'>;

/** How many passkeys were offered, made and used, and how many failed, by browser family. */
export async function passkeysPage({ services, operator, query }: PageRequest): Promise<Html> {
  const { days, rows } = await listFunnel(services, query('since'));
  return page({
    title: 'Passkeys',
    section: 'passkeys',
    operator,
    body: html`<form method="get" action="/operators/passkeys" class="filter">
        <span class="pair">
          <label for="since">Time span</label>
          <select id="since" name="since">
            ${spansWith(days).map((each) => html`<option value="${each}d" ${each === days ? html`selected` : ''}>${choice(spanWords(each))}</option>`)}
          </select>
        </span>
        <button>Show</button>
      </form>
      ${table(
        `Passkeys, ${spanWords(days)}`,
        ['Browser', 'Device', 'Offered', 'Made', 'Made of offered', 'Used', 'Failed'],
        [
          ...rows.map((row) => [row.browser, row.mobile ? 'phone or tablet' : 'computer', ...cellsOf(row)]),
          ...(rows.length > 1
            ? [['All', '', ...cellsOf(sumOf(rows))].map((cell) => html`<strong>${cell}</strong>`)]
            : []),
        ],
        `No passkey was offered, made or used ${days === 1 ? '' : 'in '}${spanWords(days)}.`,
      )}
      <dl>
        <dt>Offered</dt>
        <dd>
          The browser was asked to make a passkey: somebody pressed the button, or it was asked without a question.
        </dd>
        <dt>Made</dt>
        <dd>This server accepted the passkey.</dd>
        <dt>Used</dt>
        <dd>A login with a passkey, as the first or the second factor.</dd>
        <dt>Failed</dt>
        <dd>This server refused a new passkey or a login. What people cancel never reaches the server.</dd>
      </dl>
      <p class="hint">Days are in UTC. Browsers name themselves, so the numbers say nothing about individuals.</p>`,
  });
}

function cellsOf({ offered, made, used, failed }: Counts): readonly string[] {
  const share = offered > 0 ? PERCENT.format(made / offered) : '–';
  return [NUMBERS.format(offered), NUMBERS.format(made), share, NUMBERS.format(used), NUMBERS.format(failed)];
}

function sumOf(rows: readonly Counts[]): Counts {
  const sum = { offered: 0, made: 0, used: 0, failed: 0 };
  for (const { offered, made, used, failed } of rows) {
    sum.offered += offered;
    sum.made += made;
    sum.used += used;
    sum.failed += failed;
  }
  return sum;
}

/** The choices of periods, with that of the URL selected. */
const spansWith = (days: number): readonly number[] => [...new Set([...SPANS, days])].sort((a, b) => a - b);

const spanWords = (days: number): string => (days === 1 ? 'today' : `the last ${days} days`);
