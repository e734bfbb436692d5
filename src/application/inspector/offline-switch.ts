import type { TransportPort } from '../ports/index.ts';
import type { WireClient } from '../wire/wire-client.ts';
import { override } from './override.ts';

/** Rejects as a browser does without a network. */
const UNPLUGGED: TransportPort = { send: () => Promise.reject(new TypeError('Failed to fetch')) };

/** Takes one client offline. Other code of the page stays online. */
export class OfflineSwitch {
  private restore: (() => void) | null = null;

  constructor(private readonly wire: WireClient) {}

  get isOffline(): boolean {
    return this.restore !== null;
  }

  goOffline(): void {
    const wire = this.wire as unknown as { ports: { readonly transport: TransportPort } };
    this.restore ??= override(wire, 'ports', (below) => ({ ...below(), transport: UNPLUGGED }));
  }

  goOnline(): void {
    this.restore?.();
    this.restore = null;
  }
}
