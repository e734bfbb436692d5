/** The recorded results of the benches, from which the front page gets its numbers. */

export interface Budgets {
  readonly standalone: { readonly KiB: number };
}

export interface PeerTable {
  /** The day, as ISO 8601 writes it. */
  readonly date: string;
  /** The conditions of the measurement, after the day. */
  readonly how: string;
  /** Seconds until the field of the first column shows; absent in tables that were written without them. */
  readonly seconds?: number;
  readonly names: readonly string[];
  readonly rows: readonly { readonly says: string; readonly cells: readonly string[] }[];
}

const SECTION = /<!-- peers -->\n([\s\S]*?)<!-- \/peers -->/u;
const SAID =
  /^Measured on (\d{4}-\d{2}-\d{2}), (.+?)\. Times are ratios to the first column(?:, whose field shows after (\d+\.\d+) s)?\.$/mu;

/** The table that `npm run bench -- --peers --write` put into the readme. */
export function peerTable(readme: string): PeerTable {
  const section = SECTION.exec(readme)?.[1] ?? '';
  const [, date = '', how = '', seconds] = SAID.exec(section) ?? [];
  const [names, , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  if (date === '' || names === undefined || rows.length === 0 || rows.some((row) => row.length !== names.length)) {
    throw new Error('README.md has no table of other clients between <!-- peers --> and <!-- /peers -->.');
  }
  return {
    date,
    how,
    ...(seconds === undefined ? {} : { seconds: Number(seconds) }),
    names: names.slice(1),
    rows: rows.map(([says = '', ...cells]) => ({ says, cells })),
  };
}

const VISIBLE = 'navigation to a visible field';
const AT_START = 'of it before the field';

interface Bar {
  readonly name: string;
  readonly isOurs: boolean;
  readonly value: number;
  readonly text: string;
}

/** One measure of all clients: Portico's first, each group with the least first. Another client is named with its version. */
export function barsOf({ names, rows }: PeerTable, says: string): readonly Bar[] {
  const row = rows.find((one) => one.says === says);
  if (row === undefined) throw new Error(`The table of other clients has no row "${says}".`);
  const bars = names.map((name, at) => {
    const text = row.cells[at] ?? '';
    const isOurs = !/\d+\.\d+\.\d+/u.test(name);
    return { name: isOurs ? `Portico, ${name}` : name, isOurs, value: Number.parseFloat(text), text };
  });
  if (bars.some(({ value }) => !(value > 0))) throw new Error(`The row "${says}" holds a cell that is no number.`);
  return bars.sort((one, other) => Number(other.isOurs) - Number(one.isOurs) || one.value - other.value);
}

const escaped = (text: string): string => text.replace(/[&<>"]/gu, (char) => `&#${char.charCodeAt(0)};`);

/** The ratios of a time, each with its seconds where the table has those of the first column. */
function timesOf({ seconds }: PeerTable, bars: readonly Bar[]): readonly Bar[] {
  const text = ({ value, text: ratio }: Bar): string =>
    seconds === undefined ? `${ratio}×` : `${(value * seconds).toFixed(1)} s, ${ratio}×`;
  return bars.map((bar) => ({ ...bar, text: text(bar) }));
}

function chart(title: string, unit: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value));
  // A bar is a picture with attributes: the policy allows no style of an element.
  const items = bars.map(
    ({ name, isOurs, value, text }) =>
      `<li${isOurs ? ' class="ours"' : ''}><span>${escaped(name)}</span><b>${escaped(text)}</b>` +
      `<svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${((100 * value) / most).toFixed(1)}" height="6"/></svg></li>`,
  );
  return `<figure><figcaption><h3>${title}</h3><p>${unit}</p></figcaption><ol class="bars">${items.join('')}</ol></figure>`;
}

/** The section of the front page that compares the widget with other clients, with all measures. */
export function peersMarkup(table: PeerTable): string {
  const [base = ''] = table.names;
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(table.date));
  const head = table.names.map((name) => `<th scope="col">${escaped(name)}</th>`).join('');
  const rows = table.rows.map(
    ({ says, cells }) =>
      `<tr><th scope="row">${escaped(says)}</th>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`,
  );
  return `<section id="peers" class="peers" aria-labelledby="peers-title">
<div class="peers-head"><h2 id="peers-title">Beside other clients</h2>
<p>The same kind of login form in each, measured on <time datetime="${table.date}">${day}</time> by <code>npm run bench -- --peers</code>: ${escaped(table.how)}.</p></div>
<div class="charts">${chart('Until the email field shows', `Time, as a multiple of that of ${escaped(base)}. Less is better`, timesOf(table, barsOf(table, VISIBLE)))}
${chart('Received before it shows', 'In KiB. Less is better on a slow line', barsOf(table, AT_START))}</div>
<details><summary>All that was measured</summary><div class="scroll" tabindex="0" role="group" aria-label="All that was measured"><table><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>
<p class="hint">Times are multiples of the first column. Rows that say nothing else are for three seconds.</p></details>
</section>`;
}

/** The values in the sentences of the front page. */
export function factsOf(table: PeerTable, budgets: Budgets): Readonly<Record<string, string>> {
  const bars = barsOf(table, VISIBLE);
  const standalone = bars.find(({ name }) => name === 'Portico, standalone');
  if (standalone === undefined) throw new Error('The table of other clients lacks the standalone build.');
  return {
    start: `${budgets.standalone.KiB} KiB`,
    faster: `${(1 / standalone.value).toFixed(1)}×`,
    base: table.names[0] ?? '',
  };
}
