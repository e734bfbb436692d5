import type { InspectedClient, InspectedWidget } from '../../application/inspector/recorder.ts';
import { SDKUsageError } from '../../domain/errors.ts';
import { isRecord } from '../../domain/shape.ts';
import type { PorticoClient } from '../client.ts';

/**
 * The inside of a client, also of one that another build of this package made: its wiring, and its widgets if it has some. Throws an
 * `SDKUsageError` for any other object.
 */
export function insideOf(client: PorticoClient): InspectedClient {
  const { core, mounted } = (isRecord(client) ? client : {}) as {
    readonly core?: InspectedClient['core'];
    readonly mounted?: unknown;
  };
  if (!isRecord(core) || !isRecord(core['wire'])) {
    throw new SDKUsageError('inspect', 'client must be a PorticoClient or a PorticoUIClient');
  }
  const widgets = mounted instanceof Set ? (mounted as Set<InspectedWidget>) : null;
  return { core, widgets };
}
