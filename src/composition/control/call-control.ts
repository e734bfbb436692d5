import { pathOf, type BodyFor, type Endpoint, type ParamsFor, type ReplyFor } from '#application/api/index.ts';
import { CONTROL_PREFIX, SCOPE_HEADER } from '#application/dev-control/dev-control.ts';
import { isRecord } from '#domain/shape.ts';

/** A provider that refused a call of its control, or has none. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';

  constructor(
    message: string,
    /** 0 without a response. */
    readonly status: number,
    /** Such as `bad_request`; empty without a response. */
    readonly error_type: string,
    /** The invalid fields, such as `{ 'users[0].email': 'must be …' }`. */
    readonly fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Options of the helpers that control a development provider. */
export interface ControlOptions {
  /**
   * Limits time and faults to requests with this value in the header `X-Portico-Test`: 1 to 64 letters, digits and `. _ -`. Default:
   * they apply to all requests.
   */
  readonly scope?: string;
  /** Default: the `fetch` of the page or process. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Calls `/dev/control`. Rejects only with a `ControlRefusal`. */
export type CallControl = <E extends Endpoint>(
  endpoint: E,
  body: BodyFor<E>,
  params?: Readonly<Record<ParamsFor<E>, string>>,
) => Promise<ReplyFor<E>>;

export function callerOf(providerUrl: string, { scope, fetch = globalThis.fetch }: ControlOptions): CallControl {
  const base = `${/^.*[^/]/su.exec(providerUrl)?.[0] ?? ''}${CONTROL_PREFIX}`;
  const call = async (endpoint: Endpoint, body: unknown, params: Readonly<Record<string, string>> = {}) => {
    const { method, path } = endpoint;
    const headers: Record<string, string> = scope === undefined ? {} : { [SCOPE_HEADER]: scope };
    if (method === 'POST') headers['Content-Type'] = 'application/json';
    const init = {
      method,
      headers,
      credentials: 'omit',
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    } as const;
    const reply = await fetch(base + pathOf(path, params), init).catch((cause: unknown) => {
      throw new ControlRefusal(`No provider answers at ${providerUrl}: ${String(cause)}`, 0, '');
    });
    const json: unknown = await reply.json().catch(() => null);
    if (reply.ok && isRecord(json)) return json;
    if (reply.status === 404) {
      throw new ControlRefusal(
        `The provider at ${providerUrl} has no ${CONTROL_PREFIX}: start it with --dev.`,
        404,
        'route_not_found',
      );
    }
    const { error_type = '', error_message = 'It gave no reason.', error_details } = isRecord(json) ? json : {};
    const fields = isRecord(error_details) ? (error_details as Readonly<Record<string, string>>) : {};
    const message = `${endpoint.name} was refused: ${String(error_message)}`;
    throw new ControlRefusal(message, reply.status, String(error_type), fields);
  };
  return call as CallControl;
}
