/**
 * Measures the time to a visible form, compared with other clients (`npm run bench -- --peers`).
 *
 * The requests of every page are counted once. Then every round times every page once, in another order each time, so that other load of
 * the machine affects all of them. `--runs N` chooses the number of rounds, `--write` puts the table into the readme, `--requests` prints
 * the requests. PORTICO_PEERS names the folder into which the other clients are installed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { BROWSER_ARGS, ensureBrowser } from '../../scripts/lib/browsers.ts';
import { ROOT } from '../../scripts/lib/root.mjs';
import { SLOW_MOBILE, SLOW_PHONE } from './conditions.ts';
import { hostPages, type BuiltPage } from './host-pages.ts';
import { PEERS, peerPages } from './peer-pages.ts';
import { PRODUCTS } from './product-peers.ts';
import { serve } from './servers.ts';
import { details, saidOf, table, withTable, type Visit, type Visits } from './table.ts';
import { launchForTiming } from './timed-visit.ts';
import { visit, type Counts } from './visit.ts';

/** Only this machine is reachable: a client's pictures from other hosts fail at once. */
const ALONE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

const CONDITIONS = 'a processor slowed down four times, 1.6 Mbit/s with 150 ms of latency, nothing cached';

/** The order of a round: rotated by one each time, and every second one backwards. */
export function orderOf<T>(all: readonly T[], round: number): T[] {
  const from = round % all.length;
  const rotated = [...all.slice(from), ...all.slice(0, from)];
  return round % 2 === 0 ? rotated : [...rotated].reverse();
}

async function measure(out: string, scratch: string, runs: number): Promise<Visits> {
  const say = (line: string): void => console.log(`  ${line}`);
  console.log(`Installing and building the other clients in ${scratch}:`);
  const peers = await peerPages(scratch, out, say, [...PEERS, ...PRODUCTS]);
  const pages = [...peers.slice(0, 1), ...(await hostPages(out)), ...peers.slice(1)];
  const servers = await serve(pages, undefined, SLOW_MOBILE);
  const urls = (page: BuiltPage) => ({ blank: servers.blank, page: servers.urlOf(page) });
  try {
    // It also warms the disk and the fonts up.
    const counts = await countsOf(pages, urls);
    say('counted the requests');
    return await timesOf(pages, urls, counts, runs, say);
  } finally {
    servers.close();
  }
}

const ARGS = [...BROWSER_ARGS, ALONE];
type Urls = (page: BuiltPage) => { readonly blank: string; readonly page: string };

async function countsOf(pages: readonly BuiltPage[], urls: Urls): Promise<ReadonlyMap<BuiltPage, Counts>> {
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: ARGS });
  const counts = new Map<BuiltPage, Counts>();
  try {
    for (const page of pages) counts.set(page, await visit(browser, urls(page), SLOW_PHONE));
    return counts;
  } finally {
    await browser.close();
  }
}

async function timesOf(
  pages: readonly BuiltPage[],
  urls: Urls,
  counts: ReadonlyMap<BuiltPage, Counts>,
  runs: number,
  say: (line: string) => void,
): Promise<Visits> {
  const browser = launchForTiming(ensureBrowser(), ARGS);
  try {
    const visits = new Map<string, Visit[]>(pages.map(({ name }) => [name, []]));
    for (let round = 0; round <= runs; round += 1) {
      const started = Date.now();
      for (const page of orderOf(pages, round)) {
        const times = await browser.visit(urls(page), SLOW_PHONE);
        const counted = counts.get(page);
        if (round > 0 && counted) visits.get(page.name)?.push({ ...times, ...counted });
      }
      const took = ((Date.now() - started) / 1_000).toFixed(0);
      say(round === 0 ? `warmed up in ${took} s` : `round ${round} of ${runs}, ${took} s`);
    }
    return visits;
  } finally {
    await browser.close();
  }
}

/** Throws where a page does not show its form. */
export async function benchPeers(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      peers: { type: 'boolean' },
      runs: { type: 'string', default: '11' },
      write: { type: 'boolean', default: false },
      requests: { type: 'boolean', default: false },
    },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs must be a number of rounds, not ${values.runs}`);
  const out = mkdtempSync(join(tmpdir(), 'portico-pages-'));
  const scratch = process.env['PORTICO_PEERS'] ?? join(tmpdir(), 'portico-peers');
  try {
    const visits = await measure(out, scratch, runs);
    const date = new Date().toISOString().slice(0, 10);
    const said = saidOf(visits, date, CONDITIONS);
    console.log(['', said, '', ...table(visits), '', 'Times and spread:', ...details(visits)].join('\n'));
    if (values.requests) for (const [name, [first]] of visits) console.log(`\n${name}:\n  ${first?.log.join('\n  ')}`);
    const readme = join(ROOT, 'README.md');
    if (values.write) writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), visits, said));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
