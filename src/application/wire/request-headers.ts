import { base64OfText } from '../../domain/encoding.ts';
import type { Ports } from '../ports/index.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { ClientKeys } from '../session/client-keys.ts';

/** The name and version of the client in the headers; the version is that of the wire (specification, section 9). */
const SDK = { identifier: 'Portico Javascript SDK', version: '5.37.1' } as const;

/** Identifies the caller in the server's logs (wire details, `X-SDK-Client`). Contains no secret. */
export interface TelemetryContext {
  readonly event_id: string;
  readonly app_session_id: string;
  readonly persistent_id: string;
  readonly client_sent_at: string;
  readonly timezone: string;
  readonly app: { readonly identifier: string };
  readonly sdk: { readonly identifier: string; readonly version: string };
  readonly stytch_user_id?: string | undefined;
  readonly stytch_session_id?: string | undefined;
}

/** The headers of every call. */
export class RequestHeaders {
  constructor(
    private readonly keys: ClientKeys,
    private readonly sessions: SessionStore,
    private readonly ports: Pick<Ports, 'storage' | 'tabStorage' | 'browser' | 'clock' | 'crypto'>,
  ) {}

  build(): Readonly<Record<string, string>> {
    const { publicToken } = this.keys;
    const secret = this.sessions.secret() ?? publicToken;
    return {
      authorization: `Basic ${base64OfText(`${publicToken}:${secret}`)}`,
      'content-type': 'application/json',
      'x-sdk-client': base64OfText(JSON.stringify(this.telemetry())),
      'x-sdk-parent-host': this.ports.browser.origin,
    };
  }

  telemetry(): TelemetryContext {
    const { browser, clock, crypto, storage, tabStorage } = this.ports;
    const { session, user } = this.sessions.state();
    return {
      event_id: `event-id-${crypto.uuid()}`,
      app_session_id: this.remembered(tabStorage, 'app_session_id', 'app-session-id'),
      persistent_id: this.remembered(storage, 'persistent_id', 'persistent-id'),
      client_sent_at: new Date(clock.now()).toISOString(),
      timezone: browser.timezone,
      app: { identifier: browser.hostname },
      sdk: SDK,
      stytch_user_id: user?.user_id,
      stytch_session_id: session?.session_id,
    };
  }

  private remembered(storage: Ports['storage'], key: string, prefix: string): string {
    const known = storage.get(this.keys.storage(key));
    if (known?.startsWith(`${prefix}-`) && known.length < 80) return known;
    const made = `${prefix}-${this.ports.crypto.uuid()}`;
    storage.set(this.keys.storage(key), made);
    return made;
  }
}
