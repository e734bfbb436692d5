import { ControlError, type ControlPort } from '#application/inspector/control-port.ts';
import { REFUSALS } from '#domain/rules/refusal.ts';
import { callerOf, ControlRefusal } from '../control/call-control.ts';

/** Omits the server's error message, which may repeat parts of the request, because this message is kept in the trace. */
function messageOf({ status, error_type }: ControlRefusal): string {
  if (status === 0) return 'The provider did not answer.';
  return `The provider refused it (${status}${Object.hasOwn(REFUSALS, error_type) ? `, ${error_type}` : ''}).`;
}

/** Calls `/dev/control` without the client's transport, so that its calls are not in the trace and work while the transport is offline. */
export function controlClient(origin: string): ControlPort {
  // Read on each call, so that a replacement by the host is used.
  const call = callerOf(origin, { fetch: (...request) => globalThis.fetch(...request) });
  return {
    origin,
    call: async (endpoint, body, params) => {
      try {
        return await call(endpoint, body, params);
      } catch (error) {
        throw error instanceof ControlRefusal ? new ControlError(messageOf(error)) : error;
      }
    },
  };
}
