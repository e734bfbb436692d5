import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResponse } from '#application/ports/index.ts';
import { offline } from '#kit/transport/fake-reply.ts';
import type { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { STATE_KEY, TestWorld } from '../world.ts';
import { Random } from './random.ts';
import { refusal, RotatingServer, transportOf } from './rotating-server.ts';
import { SOAK } from '../../../soak.ts';

/** `SOAK=1` lives through two hundred days. */
const SEEDS = SOAK ? 200 : 8;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const RHYTHM_MS = 180_000;
/** At the end of the day all is well for longer than any wait, so that the client has heard what the server says. */
const CALM_MS = 30 * MINUTE_MS;
const LONGEST_RETRY_AFTER_S = 900;

const KINDS = ['network', 'slow network', '5xx', '503 with a date', '429', 'page of a proxy', 'mixed'] as const;
type Kind = (typeof KINDS)[number];

interface Outage {
  readonly from: number;
  readonly to: number;
  readonly kind: Kind;
}

/** Outages of 1 s to 3 h, about 30 % of the day. */
function outages(random: Random, start: number): readonly Outage[] {
  const found: Outage[] = [];
  const end = start + DAY_MS - CALM_MS;
  for (let at = start; at < end;) {
    const length = Math.round(1_000 * (3 * 3_600) ** random.next());
    const from = at + Math.round(length * 2.2 * (0.5 + random.next()));
    const to = Math.min(from + length, end);
    if (from < to) found.push({ from, to, kind: random.pick(KINDS) });
    at = to;
  }
  return found;
}

interface Answer {
  readonly response: HttpResponse | null;
  /** Seconds, as the server asks for. */
  readonly retryAfter: number;
  readonly afterMs: number;
}

function failure(kind: Kind, random: Random, clock: VirtualClock): Answer {
  const retryAfter = random.between(1, LONGEST_RETRY_AFTER_S);
  const soon = random.between(0, 3_000);
  switch (kind) {
    case 'network':
      return { response: null, retryAfter: 0, afterMs: 0 };
    case 'slow network':
      return { response: null, retryAfter: 0, afterMs: MINUTE_MS };
    case '5xx':
      return {
        response: refusal(random.pick([500, 502, 503, 504]), 'internal_server_error'),
        retryAfter: 0,
        afterMs: soon,
      };
    case '503 with a date': {
      // The client's clock may be wrong: the wait is the difference of the answer's own two dates.
      const now = clock.now() - HOUR_MS;
      const date = new Date(now).toUTCString();
      const until = new Date(now + retryAfter * 1_000).toUTCString();
      return { response: refusal(503, 'unavailable', { date, 'retry-after': until }), retryAfter, afterMs: soon };
    }
    case '429':
      return {
        response: refusal(429, 'too_many_requests', { 'retry-after': String(retryAfter) }),
        retryAfter,
        afterMs: soon,
      };
    case 'page of a proxy':
      return {
        response: {
          status: random.pick([200, 403, 502]),
          headers: { 'content-type': 'text/html' },
          text: '<h1>Bad gateway</h1>',
        },
        retryAfter: 0,
        afterMs: soon,
      };
    default:
      return failure(random.pick(KINDS.slice(0, -1)), random, clock);
  }
}

/** One client through one day. Throws at the first thing that is not as it must be. */
async function day(seed: number) {
  const random = new Random(seed);
  const world = new TestWorld();
  const { clock } = world;
  const start = clock.now();
  const down = outages(random, start);
  const server = new RotatingServer(clock, {
    lastsMs: random.chance(0.3) ? random.between(HOUR_MS, DAY_MS - CALM_MS) : 2 * DAY_MS,
  });
  const revokedAt = random.chance(0.3) ? start + random.between(HOUR_MS, DAY_MS - CALM_MS) : Number.POSITIVE_INFINITY;

  const total = { calls: 0, failed: 0, overlaps: 0, wrong: [] as string[], mostPending: 0 };
  let inFlight = 0;
  let failures = 0;
  let answered: { readonly at: number; readonly retryAfter: number } | null = null;
  let outage = 0;

  const judge = (now: number): void => {
    if (answered === null) return;
    const gap = now - answered.at;
    const base = 2_000 * 2 ** Math.min(failures - 1, 7);
    const floor = answered.retryAfter * 1_000;
    const [low, high] =
      failures === 0 ? [RHYTHM_MS, RHYTHM_MS] : [Math.max(base - 175, floor), Math.max(base + 174, floor)];
    if (gap < low || gap > high) total.wrong.push(`gap ${gap} after ${failures} failures, not ${low}..${high}`);
  };

  const transport = transportOf(async (request: HttpRequest) => {
    const now = clock.now();
    judge(now);
    total.calls += 1;
    if (inFlight > 0) total.overlaps += 1;
    inFlight += 1;
    total.mostPending = Math.max(total.mostPending, clock.pending);
    while ((down[outage]?.to ?? Number.POSITIVE_INFINITY) <= now) outage += 1;
    const current = down[outage];
    if (now >= revokedAt) server.revoked = true;
    const answer: Answer =
      current !== undefined && current.from <= now
        ? failure(current.kind, random, clock)
        : { response: server.authenticate(request), retryAfter: 0, afterMs: random.between(0, 1_500) };
    if (answer.afterMs > 0) await new Promise<void>((resolve) => void clock.after(answer.afterMs, resolve));
    inFlight -= 1;
    const well = answer.response?.text.startsWith('{"data"') === true;
    failures = well ? 0 : failures + 1;
    if (!well) total.failed += 1;
    answered = { at: clock.now(), retryAfter: answer.retryAfter };
    if (answer.response === null) throw offline();
    return answer.response;
  });

  const { client, tab } = world.open({ telemetry: false, adapters: { transport: transport as never } });
  client.session.updateSession({ session_token: server.token });
  const first = client.session.authenticate();
  await clock.advance(2_000);
  await first;
  answered = null;
  await clock.advance(start + DAY_MS - clock.now());

  const alive = client.session.getSync() !== null;
  if (revokedAt <= clock.now()) server.revoked = true;
  if (alive !== server.isAlive()) total.wrong.push(`alive ${alive}, and by the server's word ${server.isAlive()}`);
  if (alive !== (client.session.getTokens() !== null)) total.wrong.push('cookies and state disagree');
  if (alive !== world.storage.values.has(STATE_KEY)) total.wrong.push('storage and state disagree');
  client.destroy();
  await clock.advance(MINUTE_MS);
  if (clock.pending > 0) total.wrong.push(`${clock.pending} waits are left`);
  const said = tab.log.messages().filter((text) => !text.includes('public token'));
  if (said.length > 0) total.wrong.push(`said ${said.join()}`);
  const downMs = down.reduce((sum, { from, to }) => sum + to - from, 0);
  return { ...total, alive, share: downMs / DAY_MS };
}

describe('24 hours with outages', () => {
  it(`over ${SEEDS} seeds: one request at a time, by the formula, and alive exactly when the server has the session`, async () => {
    const began = process.cpuUsage();
    const days: Awaited<ReturnType<typeof day>>[] = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) days.push(await day(seed));
    const { user, system } = process.cpuUsage(began);
    const seconds = (user + system) / 1e6;

    const wrong = days.flatMap((one, index) => one.wrong.map((text) => `seed ${index + 1}: ${text}`));
    expect(wrong).toEqual([]);
    expect(days.filter(({ overlaps }) => overlaps > 0)).toEqual([]);
    expect(Math.max(...days.map(({ mostPending }) => mostPending))).toBeLessThanOrEqual(3);

    const sum = (pick: (one: (typeof days)[number]) => number): number => days.reduce((all, one) => all + pick(one), 0);
    const share = sum((one) => one.share) / SEEDS;
    console.log(
      `${SEEDS} days, ${sum((one) => one.calls)} refreshes, ${sum((one) => one.failed)} failed, ` +
        `${(share * 100).toFixed(0)} % down, ${sum((one) => Number(one.alive))} alive at the end, ${seconds.toFixed(1)} s of computing`,
    );
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.4);
    expect(sum((one) => Number(one.alive))).toBeGreaterThan(SEEDS / 5);
    expect(sum((one) => Number(!one.alive))).toBeGreaterThan(SEEDS / 5);
  });
});
