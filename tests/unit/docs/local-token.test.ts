import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { allExamples } from './examples.ts';

const LOCAL_TOKEN = DEMO_PROJECT.public_token;
const CLIENT = /\bnew (?:\w+\.)?(?:Portico\w*|Stytch\w*|\w*Headless\w*)Client\(/gu;
const ADDRESS = /\b(?:apiUrl|endpointOptions|customBaseUrl|testApiDomain)\b/u;
const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|html|md)$/u;

/** The arguments of a call that begins at the index, with the parentheses in balance. */
function argumentsAt(source: string, from: number): string {
  let depth = 1;
  let at = from;
  while (depth > 0 && at < source.length) {
    depth += { '(': 1, ')': -1 }[source[at] ?? ''] ?? 0;
    at += 1;
  }
  return source.slice(from, at - 1);
}

/** The calls that make a client with a local provider's token, and name no address. */
function clientsWithoutAddress(source: string): readonly string[] {
  if (!source.includes(LOCAL_TOKEN)) return [];
  return [...source.matchAll(CLIENT)]
    .map((found) => argumentsAt(source, found.index + found[0].length))
    .filter((given) => {
      const [first = '', ...others] = given.split(',');
      const isLive = /public-token-live/u.test(first);
      // Options that have a name of their own are read with the source around them.
      const options = /^\s*\.{0,3}\w+\s*$/u.test(others.join(',')) ? source : others.join(',');
      return !isLive && !ADDRESS.test(options);
    });
}

function filesIn(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => SOURCE.test(name) && !/node_modules|(?:^|\/)(?:dist|\.\w+)\//u.test(name))
    .map((name) => [`${folder}/${name}`, readFileSync(join(ROOT, folder, name), 'utf8')] as const);
}

const SOURCES = [
  ...allExamples().map(({ page, line, source }) => [`${page}:${line}`, source] as const),
  ...['examples', 'demo', 'site'].flatMap(filesIn),
];

describe('the samples with the public token of a local provider', () => {
  it('are found, each way of writing them', () => {
    const withToken = SOURCES.filter(([, source]) => source.includes(LOCAL_TOKEN));
    expect(withToken.length).toBeGreaterThan(40);
    const calls = [
      [`new PorticoUIClient('${LOCAL_TOKEN}')`, 1],
      [`const TOKEN = '${LOCAL_TOKEN}'; new Portico.PorticoClient(TOKEN, { telemetry: no() })`, 1],
      [`const options = { telemetry: false }; new PorticoClient('${LOCAL_TOKEN}', options)`, 1],
      [`new PorticoClient('${LOCAL_TOKEN}', { apiUrl })`, 0],
      [`const options = { apiUrl }; new PorticoClient('${LOCAL_TOKEN}', options)`, 0],
    ] as const;
    for (const [source, count] of calls) expect(clientsWithoutAddress(source)).toHaveLength(count);
  });

  it('name the address of their provider', () => {
    const without = SOURCES.flatMap(([where, source]) => clientsWithoutAddress(source).map(() => where));
    expect(without).toEqual([]);
  });
});
