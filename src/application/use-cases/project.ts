import { bootstrapFrom, type Bootstrap } from '../../domain/bootstrap.ts';
import { parseJson } from '../../domain/json.ts';
import { projects } from '../api/index.ts';
import type { LogPort, StoragePort } from '../ports/index.ts';
import type { ClientKeys } from '../session/client-keys.ts';
import type { WireClient } from '../wire/wire-client.ts';

/**
 * What the server says of the project. Never rejects: the last good copy stands in, and only then the defaults. Whether PKCE
 * is required is taken from no copy: what is not known now counts as required.
 */
export class Project {
  private asked: Promise<Bootstrap> | null = null;
  /** The last good copy, read once: permissions are checked by it in every row of a list. */
  private copy: { readonly text: string; readonly bootstrap: Bootstrap } | null = null;

  constructor(
    private readonly wire: WireClient,
    private readonly storage: StoragePort,
    private readonly keys: ClientKeys,
    private readonly log: LogPort,
  ) {}

  /** Asks once; after a failure the next call asks again. */
  bootstrap(): Promise<Bootstrap> {
    this.asked ??= this.load();
    return this.asked;
  }

  /** What is known without asking: the last good copy, else the defaults. */
  lastKnown(): Bootstrap {
    const text = this.storage.get(this.keys.storage('bootstrap')) ?? '';
    if (this.copy?.text !== text) this.copy = { text, bootstrap: bootstrapFrom(parseJson(text), false) };
    return this.copy.bootstrap;
  }

  private async load(): Promise<Bootstrap> {
    try {
      const reply = await this.wire.call(projects.bootstrap, {}, { params: { publicToken: this.keys.publicToken } });
      const text = JSON.stringify(reply);
      this.storage.set(this.keys.storage('bootstrap'), text);
      this.copy = { text, bootstrap: bootstrapFrom(reply, false) };
      const bootstrap = bootstrapFrom(reply);
      if (bootstrap.vertical === 'B2B')
        this.log.error('This public token belongs to a B2B project; this client is for consumers.');
      return bootstrap;
    } catch {
      this.asked = null;
      return this.lastKnown();
    }
  }
}
