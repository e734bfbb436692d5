import { pathOf, type Endpoint } from '../../application/api/index.ts';
import { CONTROL_PREFIX } from '../../application/dev-control/dev-control.ts';
import { ControlError, type ControlPort } from '../../application/inspector/control-port.ts';
import { REFUSALS } from '../../domain/rules/refusal.ts';
import { hasShape, isRecord } from '../../domain/shape.ts';

const NO_ANSWER = 'The provider did not answer.';

/** The refusal's own words, if they are those of the catalogue: no others, because they are kept in the trace. */
function refusalOf(status: number, reply: unknown): string {
  const type = isRecord(reply) ? String(reply['error_type']) : '';
  return `The provider refused it (${status}${Object.hasOwn(REFUSALS, type) ? `, ${type}` : ''}).`;
}

/** Calls `/dev/control` with `fetch`, without cookies. It does not use the client's transport, so its calls are not part of the trace. */
export function controlClient(origin: string, fetch: typeof globalThis.fetch): ControlPort {
  const call = async (endpoint: Endpoint, body: unknown, params: Readonly<Record<string, string>> = {}) => {
    const { method, path } = endpoint;
    const hasBody = method === 'POST' || method === 'PUT';
    let reply: unknown;
    let status = 0;
    try {
      const answered = await fetch(`${origin}${CONTROL_PREFIX}${pathOf(path, params)}`, {
        method,
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        ...(hasBody && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      status = answered.status;
      reply = await answered.json();
    } catch {
      throw new ControlError(NO_ANSWER);
    }
    if (status > 299) throw new ControlError(refusalOf(status, reply));
    if (!hasShape(endpoint.reply, reply)) throw new ControlError(NO_ANSWER);
    return reply;
  };
  return { origin, call: call as ControlPort['call'] };
}
