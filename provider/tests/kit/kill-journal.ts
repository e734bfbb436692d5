import { request } from './server-process.ts';
import { basic, PUBLIC_TOKEN, type Fields } from './harness.ts';

/** What a client was told and may rely on from then on, however the server ended. */
export interface Guarantee {
  readonly says: string;
  /** Looking changes it: it is looked at once. */
  readonly once?: boolean;
  readonly holds: (wire: Wire) => Promise<boolean>;
}

/** One request to the server as it is now; rejects when no whole answer comes. */
export interface Wire {
  call(method: string, path: string, body?: object, session?: string): Promise<Fields>;
  form(path: string, fields: Readonly<Record<string, string>>): Promise<Fields>;
  bearer(path: string, token: string): Promise<Fields>;
  latest(to: string): Promise<Fields>;
}

/** An answer that a server which is well does not give. */
export class UnexpectedAnswer extends Error {}

/** What has been acknowledged so far, by all writers and over all lives of the server. */
export class Journal {
  acknowledged = 0;
  private fresh: Guarantee[] = [];
  private readonly kept: Guarantee[] = [];
  private waiting: { readonly count: number; readonly resolve: () => void } | null = null;

  note(...facts: readonly Guarantee[]): void {
    this.fresh.push(...facts);
  }

  count(): void {
    this.acknowledged += 1;
    if (this.waiting !== null && this.acknowledged >= this.waiting.count) this.waiting.resolve();
  }

  /** Resolves when so many more have been acknowledged. */
  more(count: number): Promise<void> {
    return new Promise((resolve) => (this.waiting = { count: this.acknowledged + count, resolve }));
  }

  get size(): number {
    return this.kept.length + this.fresh.length;
  }

  /** Names every fact that does not hold: of the new ones, or of all. */
  async broken(url: string, all = false): Promise<readonly string[]> {
    const looked = all ? [...this.kept.filter(({ once }) => !once), ...this.fresh] : this.fresh;
    this.kept.push(...this.fresh);
    this.fresh = [];
    const wire = patient(wireTo(url));
    const queue = [...looked];
    const broken: string[] = [];
    const look = async (): Promise<void> => {
      for (let fact = queue.pop(); fact !== undefined; fact = queue.pop()) {
        if (!(await fact.holds(wire))) broken.push(fact.says);
      }
    };
    await Promise.all(Array.from({ length: 8 }, look));
    return broken;
  }
}

/** The wire to a server at its present address; `counted` is told of every acknowledgement. */
export function wireTo(url: string, counted: () => void = () => undefined): Wire {
  const json = async (path: string, init: RequestInit): Promise<Fields> => {
    const reply = await fetch(url + path, init);
    const body = await reply.text();
    counted();
    return body === '' ? { status: reply.status } : { status: reply.status, ...(JSON.parse(body) as Fields) };
  };
  return {
    async call(method, path, body, session = PUBLIC_TOKEN) {
      const reply = await request(url, method, `/sdk/v1${path}`, body, session);
      counted();
      return reply;
    },
    form: (path, fields) => json(`/oauth2${path}`, { method: 'POST', body: new URLSearchParams(fields) }),
    bearer: (path, token) => json(`/oauth2${path}`, { headers: { authorization: `Bearer ${token}` } }),
    async latest(to) {
      const headers = { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN) };
      const list = await fetch(`${url}/dev/inbox.json?limit=1&to=${encodeURIComponent(to)}`, { headers });
      return ((await list.json()) as readonly Fields[])[0] ?? {};
    },
  };
}

const PAUSE_MS = 100;
const MOST_PAUSES = 600;

/** Asks again while the database is out of a busy server's reach: `service_unavailable` says that nothing was done. */
export function patient(wire: Wire, counted: () => void = () => undefined): Wire {
  const answered = async (ask: () => Promise<Fields>): Promise<Fields> => {
    for (let pauses = 0; ; pauses += 1) {
      const reply = await ask();
      if (reply['error_type'] !== 'service_unavailable' || pauses === MOST_PAUSES) {
        counted();
        return reply;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  return {
    call: (...request) => answered(async () => wire.call(...request)),
    form: (...request) => answered(async () => wire.form(...request)),
    bearer: (...request) => answered(async () => wire.bearer(...request)),
    latest: (to) => answered(async () => wire.latest(to)),
  };
}

/** The data of a reply that must be a good one. */
export function data(reply: Fields): Fields {
  if (reply['data'] === undefined) throw new UnexpectedAnswer(JSON.stringify(reply));
  return reply['data'] as Fields;
}
