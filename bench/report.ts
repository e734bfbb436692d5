/** Formats the measurements as text. */

const count = (value: number): string => Math.round(value).toLocaleString('en');

/** The output of bench/client.ts. */
export interface ClientCost {
  readonly rbac: Readonly<Record<string, number>>;
  readonly roundTrip: { readonly microseconds: number; readonly bytes: number };
}

export function clientLines({ rbac, roundTrip }: ClientCost): readonly string[] {
  const rates = Object.entries(rbac);
  const smallest = rates[0]?.[1] ?? 1;
  return [
    'Permission checks per second, by the number of permissions (the same rate is flat):',
    ...rates.map(
      ([size, rate]) => `  ${count(Number(size))}: ${count(rate)}, ${(rate / smallest).toFixed(2)} of the smallest`,
    ),
    '',
    'An authenticate round trip of the client on the transport in memory, its answer included:',
    `  ${roundTrip.microseconds.toFixed(0)} µs, ${(roundTrip.bytes / 1024).toFixed(1)} KiB allocated`,
  ];
}

export interface Rates {
  readonly oneAtATime: number;
  readonly tenAtOnce: number;
}

export function verifierLines({ oneAtATime, tenAtOnce }: Rates): readonly string[] {
  return [
    'Requests authenticated per second by portico/server, by their JWT:',
    `  one at a time: ${count(oneAtATime)}, ten at once: ${count(tenAtOnce)}`,
  ];
}

/** The output of bench/provider.ts. */
export interface ProviderRates {
  readonly pglite: Rates;
  readonly postgres?: Rates | null;
}

/** @param reason the reason why PostgreSQL is missing */
export function providerLines({ pglite, postgres }: ProviderRates, reason: string | null): readonly string[] {
  const line = (name: string, { oneAtATime, tenAtOnce }: Rates): string =>
    `  ${name}: ${oneAtATime.toFixed(0)} one at a time, ${tenAtOnce.toFixed(0)} with ten at once`;
  return [
    'Logins by emailed passcode per second, the provider in one process without a network:',
    line('PGlite', pglite),
    postgres ? line('PostgreSQL', postgres) : `  PostgreSQL: not measured (${reason})`,
    ...(postgres
      ? [`  PGlite beside PostgreSQL, with ten at once: ${(pglite.tenAtOnce / postgres.tenAtOnce).toFixed(2)}x`]
      : []),
  ];
}

/** Median milliseconds of one call, for addresses with and without an account. */
export interface AnswerTimes {
  readonly name: string;
  readonly known: number;
  readonly unknown: number;
}

export interface KnownAddressTimes {
  readonly pglite: readonly AnswerTimes[];
  readonly postgres: readonly AnswerTimes[] | null;
}

export function answerLines({ pglite, postgres }: KnownAddressTimes): readonly string[] {
  const lines = (database: string, times: readonly AnswerTimes[]): readonly string[] =>
    times.map(
      ({ name, known, unknown }) =>
        `  ${database}, ${name}: ${known.toFixed(2)} ms and ${unknown.toFixed(2)} ms, ${(known / unknown).toFixed(2)}x`,
    );
  return [
    'Answers for addresses with an account and without one (median, in turns):',
    ...lines('PGlite', pglite),
    ...lines('PostgreSQL', postgres ?? []),
  ];
}

/** Milliseconds. */
export interface Time {
  readonly build: string;
  readonly slowdown: number;
  readonly visible: number;
  readonly script: number;
}

export function timeLines(times: readonly Time[]): readonly string[] {
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  return [
    'From script evaluation to a visible email field (Chromium, median), and what scripts took of it:',
    ...times.map(({ build, slowdown, visible, script }) => {
      const against = times.find((one) => one.build === build && one.slowdown === 1);
      const ratio =
        slowdown === 1 || against === undefined ? '' : `, ${(visible / against.visible).toFixed(1)} times as long`;
      return `  ${build}, processor slowed ${slowdown}x: ${ms(visible)}, scripts ${ms(script)}${ratio}`;
    }),
  ];
}

/** Milliseconds, and the API's paths in order. */
export interface Consent {
  readonly visible: number;
  readonly requests: readonly string[];
}

export function authorizeLines({ visible, requests }: Consent): readonly string[] {
  return [
    'Consent for another app, by somebody who is signed in (Chromium, median):',
    `  ${visible.toFixed(0)} ms from the navigation to its buttons; ${requests.length} requests of the API: ${requests.join(', ')}`,
  ];
}

/** Checks per second, and microseconds of this process for each. */
export interface CheckCost {
  readonly rate: number;
  readonly cpu: number;
}

/** The milliseconds of refreshes, of a session that is not bound and of a bound one. */
export interface BoundRefresh {
  readonly name: string;
  readonly plain: { readonly median: number; readonly p95: number };
  readonly bound: { readonly median: number; readonly p95: number };
}

export function boundLines(refreshes: readonly BoundRefresh[]): readonly string[] {
  const added = (plain: number, bound: number): string =>
    `${plain.toFixed(1)} and ${bound.toFixed(1)} ms (${(bound - plain).toFixed(1)} more)`;
  return [
    'A refresh at the server, of a session that is not bound and of a bound one with its proof, in turns:',
    ...refreshes.map(
      ({ name, plain, bound }) =>
        `  ${name}: median ${added(plain.median, bound.median)}, p95 ${added(plain.p95, bound.p95)}`,
    ),
  ];
}

/** Milliseconds for one request, and requests per second. */
export interface Latency {
  readonly users: number;
  readonly median: number;
  readonly p99: number;
  readonly rate: number;
}

/** The output of bench/session-checks.ts. The first entry is the base of the comparison. */
export function checkLines(costs: Readonly<Record<string, CheckCost & { readonly ratio: number }>>): readonly string[] {
  const [first] = Object.keys(costs);
  return [
    `Session checks per second with ten at once, in turns (the ratio is to ${first}, of neighbouring turns):`,
    ...Object.entries(costs).map(
      ([name, { rate, cpu, ratio }]) =>
        `  ${name}: ${count(rate)}, ${ratio.toFixed(2)}x; ${count(cpu)} µs of the process`,
    ),
  ];
}

/** @param all the results with few users and with many */
export function crowdLines([few, many]: readonly Latency[]): readonly string[] {
  if (few === undefined || many === undefined) return [];
  const line = ({ users, median, p99, rate }: Latency): string =>
    `  ${count(users)} users: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${count(rate)} a second`;
  return [
    'Session checks that are recorded, with ten at once, each of another user:',
    line(few),
    line(many),
    `  p99 ${(many.p99 / few.p99).toFixed(2)}x, rate ${(many.rate / few.rate).toFixed(2)}x`,
  ];
}

/** The output of bench/hooked-logins.ts, in milliseconds. */
export type HookedLogins = Readonly<Record<'without' | 'withHook', Pick<Latency, 'median' | 'p99'>>>;

export function hookLines({ without, withHook }: HookedLogins): readonly string[] {
  const line = (name: string, { median, p99 }: Pick<Latency, 'median' | 'p99'>): string =>
    `  ${name}: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  return [
    'A login by a passcode, from its request to the session, at 10,000 an hour of each kind, in turns:',
    line('without a hook', without),
    line('with a hook that answers in 5 ms', withHook),
    `  p99 ${(withHook.p99 / without.p99).toFixed(2)}x (at most 1.20x)`,
  ];
}

/** What one kind of import costs. */
export interface ImportCost {
  /** Users per second. */
  readonly rate: number;
  /** Processor time of the command for each user, in microseconds. */
  readonly command: number;
  /** That of the database; null where it is not known. */
  readonly database: number | null;
}

export interface ImportCosts {
  readonly plain: ImportCost;
  readonly hashed: ImportCost;
}

/** @param reason why there are none */
export function importLines(costs: ImportCosts | null, reason: string | null): readonly string[] {
  if (costs === null) return [`Users imported per second: ${reason ?? ''}`];
  const line = (kind: string, { rate, command, database }: ImportCost): string => {
    const server = database === null ? 'not known' : `${count(database)} ms`;
    return `  ${kind}: ${count(rate)} a second; processor time for 1,000: ${count(command)} ms of the command, ${server} of the database`;
  };
  return [
    'Users imported into PostgreSQL:',
    line('with an address', costs.plain),
    line('and a password hash of another system', costs.hashed),
  ];
}
