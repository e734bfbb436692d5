import { API_PREFIX, pathOf, type Endpoint } from '#application/api/index.ts';
import { isRecord } from '#domain/shape.ts';
import type { FlowBrowser, FlowTab, FlowWorld } from '../flows/world.ts';

/** Fields of any reply; a script reads what its next call needs. */
export type Fields = Readonly<Record<string, unknown>>;

/** One call as it was made, and the whole reply. */
export interface WireExchange {
  readonly call: string;
  readonly status: number;
  readonly body: unknown;
}

interface Extras {
  readonly session?: string | undefined;
  readonly params?: Readonly<Record<string, string>>;
  /** The origin of the page that calls; none when null. */
  readonly page?: string | null;
  /** The text of the body, in place of JSON. */
  readonly raw?: string;
}

export const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36';
export const SITE_ORIGIN = 'http://localhost:3000';
const SERVER = 'http://localhost:4100';
export const HOUR = { session_duration_minutes: 60 };
const SECOND_MS = 1000;

/** Calls one server as a client would, and keeps every reply. A second passes before each call: no two times are alike. */
export class Wire {
  readonly exchanged: WireExchange[] = [];
  /** When the script began, by the server's clock. */
  readonly began: number;
  readonly browser: FlowBrowser;
  readonly tab: FlowTab;

  constructor(
    readonly world: FlowWorld,
    /** Names what the script makes: no other script has the same addresses. */
    readonly name: string,
  ) {
    this.browser = world.newBrowser();
    this.tab = this.browser.tab();
    this.began = this.tab.clock.now();
  }

  address(who: string): string {
    // A local part has at most 64 octets.
    return `${who}.${this.name.slice(0, 44)}@example.com`;
  }

  async call(endpoint: Endpoint, body: object | null = {}, extras: Extras = {}): Promise<Fields> {
    const { session, params = {}, page = SITE_ORIGIN, raw } = extras;
    this.world.passTime(SECOND_MS);
    const { publicToken } = this.world;
    const text = raw ?? (body === null || endpoint.method === 'GET' ? null : JSON.stringify(body));
    const reply = await this.tab.transport.send({
      method: endpoint.method,
      url: `${SERVER}${API_PREFIX}${pathOf(endpoint.path, params)}`,
      headers: {
        authorization: `Basic ${btoa(`${publicToken}:${session ?? publicToken}`)}`,
        'user-agent': USER_AGENT,
        ...(page === null ? {} : { origin: page }),
        ...(text === null ? {} : { 'content-type': 'application/json' }),
      },
      body: text,
    });
    const json: unknown = JSON.parse(reply.text);
    this.note(endpoint.name, reply.status, json);
    const data = isRecord(json) ? (json['data'] ?? json) : {};
    return isRecord(data) ? data : {};
  }

  /** Keeps what came of something that is no call of the wire, such as a way back from a social provider. */
  note(call: string, status: number, body: unknown): void {
    this.exchanged.push({ call: `${this.exchanged.length + 1}. ${call}`, status, body });
  }
}

/** The text under that name, empty where there is none. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** The field of an object in a reply, such as `user.emails.0.email_id`. */
export function at(fields: unknown, path: string): string {
  let value = fields;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}

/** The same list of calls for every server. */
export interface Script {
  readonly title: string;
  /** For links, resets and social logins. */
  readonly pkceRequired?: boolean;
  readonly run: (wire: Wire) => Promise<void>;
}
