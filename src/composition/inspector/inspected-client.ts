import type { InspectedClient, InspectedWidget } from '#application/inspector/recorder.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { isRecord } from '#domain/shape.ts';

/** A client of any entry: `portico`, `portico/headless`, `portico/standalone` or `portico/compat`. */
export interface InspectableClient {
  readonly session: object;
  readonly user: object;
  readonly onStateChange: (...callback: never[]) => () => void;
}

/**
 * The internals of a client, also of one from another build of this package: its wiring, and its widgets if it has any. Throws an
 * `SDKUsageError` for any other object.
 */
export function insideOf(client: InspectableClient): InspectedClient {
  const { core, mounted } = (isRecord(client) ? client : {}) as {
    readonly core?: InspectedClient['core'];
    readonly mounted?: unknown;
  };
  if (!isRecord(core) || !isRecord(core['wire'])) {
    throw new SDKUsageError('inspect', 'client must be a client of this package');
  }
  const widgets = mounted instanceof Set ? (mounted as Set<InspectedWidget>) : null;
  return { core, widgets };
}
