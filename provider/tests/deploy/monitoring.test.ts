import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isInstalled } from '#scripts/lib/programs.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import type { Db } from '#provider/base/db/database.ts';
import { PrometheusMetrics } from '#provider/base/metrics/prometheus.ts';
import { CHANNELS } from '#provider/messages/channel.ts';

const RULES = join(ROOT, 'provider/deploy/prometheus-rules.yml');
const rules = readFileSync(RULES, 'utf8');
const ruleExpressions = [...rules.matchAll(/^ {8}expr: '(.+)'$/gmu)].map(([, expression = '']) => expression);

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly y: number };
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}
const dashboard = JSON.parse(readFileSync(join(ROOT, 'provider/deploy/grafana-dashboard.json'), 'utf8')) as Dashboard;
const dashboardExpressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** The metrics that an expression reads, without the ends of a histogram's series. */
const metricsIn = (expression: string): readonly string[] =>
  (expression.match(/\b(?:portico|nodejs|process)_\w+/gu) ?? []).map((name) => name.replace(/_bucket$/u, ''));

/** The labels by which an expression selects or groups. */
const labelsIn = (expression: string): readonly string[] => [
  ...[...expression.matchAll(/([a-z_]+)=~?"/gu)].map(([, label = '']) => label),
  ...[...expression.matchAll(/\bby \(([^)]*)\)/gu)].flatMap(([, list = '']) => list.split(', ')),
];

describe('the files for Prometheus and Grafana', () => {
  const types = new Map<string, string>();
  let labels: ReadonlySet<string>;
  beforeAll(async () => {
    const gone = {
      selectFrom: () => ({
        select: () => ({
          where: () => ({ groupBy: () => ({ execute: rows }) }),
          groupBy: () => ({ execute: rows }),
        }),
      }),
    } as unknown as Db;
    const counts = () => ({ inUse: 1, idle: 1, waiting: 1, refusals: { pool: 1, database: 1 } });
    const state = () => ({ draining: false, inProgress: 1, hashes: { running: 1, waiting: 0 } });
    const metrics = new PrometheusMetrics({
      db: gone,
      pool: counts,
      version: '1.2.3',
      channels: CHANNELS,
      countries: ['DE'],
      process: state,
    });
    metrics.request({ method: 'POST', pattern: '/sdk/v1/otps/authenticate', status: 404, seconds: 1, requestId: 'r', refusal: 'x' }); // prettier-ignore
    metrics.delivery('email', 'sent');
    metrics.spentTextBudget('DE');
    metrics.swept({ part: 'sessions', rows: 1, seconds: 1, outcome: 'done' });
    metrics.passkey('made', { browser: 'Safari', mobile: true });
    metrics.auditBatch('sent', 1);
    metrics.auditReached(new Date(0));
    const { body } = await metrics.text();
    for (const [, name = '', type = ''] of body.matchAll(/^# TYPE (\S+) (\S+)$/gmu)) types.set(name, type);
    labels = new Set([...[...body.matchAll(/([a-z_]+)="/gu)].map(([, label = '']) => label), 'job', 'instance']);
  });
  const rows = (): Promise<object[]> => Promise.resolve([{ channel: 'email', purpose: 'sessions', count: 1, age: 1 }]);

  it.each([
    ['rules', ruleExpressions],
    ['dashboard', dashboardExpressions],
  ])('name metrics and labels that there are: the %s', (_, expressions) => {
    expect(expressions.length).toBeGreaterThan(10);
    for (const expression of expressions) {
      for (const name of metricsIn(expression)) expect([name, types.has(name)]).toEqual([name, true]);
      for (const label of labelsIn(expression)) expect([label, labels.has(label)]).toEqual([label, true]);
      // A counter is read as a rate, a gauge as it is.
      for (const name of metricsIn(expression)) {
        if (types.get(name) === 'counter') expect(expression).toMatch(/\b(?:rate|increase)\(/u);
      }
      expect(expression.split('(').length).toBe(expression.split(')').length);
    }
  });

  it('watch every metric of the server', () => {
    const watched = new Set([...ruleExpressions, ...dashboardExpressions].flatMap(metricsIn));
    const own = [...types.keys()].filter((name) => name.startsWith('portico_'));
    // These explain what another one shows.
    const detail = new Set(['portico_sweep_seconds_total']);
    expect(own.filter((name) => !watched.has(name) && !detail.has(name))).toEqual([]);
  });

  it('have the alerts of the documentation', () => {
    const docs = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
    const [, block = ''] = /a dashboard for Grafana:\n\n```text\n([^`]+)```/u.exec(docs) ?? [];
    const documented = block.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(documented).toEqual(ruleExpressions);
  });

  it('have panels side by side, each with a number and a place of its own', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    expect(new Set(dashboard.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(dashboard.panels.length);
  });

  it.runIf(isInstalled('promtool'))('pass promtool', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).toBe(0);
  });
});
