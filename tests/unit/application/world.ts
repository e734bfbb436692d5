import { createHash } from 'node:crypto';
// Loaded beforehand: a slow machine must not still load them when a test has let everything settle.
import '#application/session/login-binding.ts';
import '#application/use-cases/passkeys/passkey-reports.ts';
import '#composition/lazy/explain-failure.ts';
import '#composition/lazy/wire-lazy.ts';
import '#composition/wire-session.ts';
import type { ClientOptions } from '#composition/client.ts';
import { PorticoClient } from '#composition/client.ts';
import { pendingLoads } from '#domain/code-loads.ts';
import { FakeServer } from '#kit/fake-server.ts';
import { FakeWorld, type FakeTab } from '#kit/fake-world.ts';

export const TOKEN = 'public-token-test-1';
export const STATE_KEY = `stytch_sdk_state_${TOKEN}`;

export const sha256url = async (text: string): Promise<string> => createHash('sha256').update(text).digest('base64url');

/** A load of code that the test ends itself. Virtual time does not wait for it. */
export function heldLoad<T>(load: Promise<T>): Promise<T> {
  queueMicrotask(() => pendingLoads.clear());
  return load;
}

/** A client in a tab of a browser in memory, with everything that it stands on. */
export interface OpenClient {
  readonly client: PorticoClient;
  readonly tab: FakeTab;
}

/** A fake browser with a fake server behind it. */
export class TestWorld extends FakeWorld {
  readonly server = new FakeServer(this.transport, this.clock, sha256url);

  constructor(...[clock]: ConstructorParameters<typeof FakeWorld>) {
    super(clock);
    this.server.settings.defaultRedirectUrl = 'http://localhost:3000/';
  }

  open(options: Omit<ClientOptions, 'adapters'> & { readonly adapters?: Partial<FakeTab> } = {}): OpenClient {
    const tab = { ...this.tab('http://localhost:3000/'), ...options.adapters };
    return { tab, client: new PorticoClient(TOKEN, { ...options, adapters: tab }) };
  }

  /** Logs in by passcode. */
  async signIn(client: PorticoClient, email = 'ada@example.com', minutes = 60) {
    const { method_id } = await client.otps.email.loginOrCreate(email);
    const code = this.server.inbox[0]?.code ?? '';
    return client.otps.authenticate(code, method_id, { session_duration_minutes: minutes });
  }

  /** Leaves texts in the outbox, as a page does that could not send them. */
  async leaveInOutbox(...texts: readonly string[]): Promise<void> {
    for (const text of texts) await this.outbox.add(text);
    this.storage.tab().set(`${STATE_KEY}::outbox`, '1');
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    await this.clock.advance(0);
  }
}
