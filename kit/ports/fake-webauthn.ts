import type { BrowserPort, WebauthnPort } from '#application/ports/index.ts';
import type { UserNames } from '#domain/passkeys/user-names.ts';
import { asksForPasskeys } from '#infrastructure/passkeys/autofill-input.ts';
import { jsonWithBuffers } from '#infrastructure/passkeys/binary.ts';
import { creationOptions, requestOptions } from '#infrastructure/passkeys/webauthn-options.ts';
import { SoftAuthenticator, type SoftCredential } from './soft-authenticator.ts';

/** A ceremony that the fake browser recorded. */
export interface SeenCeremony {
  readonly kind: 'create' | 'silentCreate' | 'modal' | 'conditional' | 'immediate';
  /** The parsed JSON. */
  readonly options: unknown;
}

/** One tab's passkey ceremonies, with an authenticator in memory. The person agrees immediately unless a test changes that. */
export class FakeWebauthn implements WebauthnPort {
  /** False simulates a browser without passkeys. */
  supported = true;
  /** False simulates a browser that cannot offer passkeys in form fields. */
  autofill = true;
  /** False simulates a device without a screen lock: only a security key can store passkeys. */
  platform = true;
  /** The capabilities that the browser reports. */
  readonly capabilities = new Set<'conditionalCreate' | 'immediateGet'>();
  /** The `autocomplete` of each input in the page. */
  readonly inputs: string[] = [];
  /** The error with which further ceremonies reject; null lets them succeed. */
  refusal: Error | null = null;
  /** Every ceremony that began, oldest first. */
  readonly ceremonies: readonly SeenCeremony[] = [];
  private running: AbortController | null = null;
  private decision: Promise<void> | null = null;

  constructor(
    private readonly browser: Pick<BrowserPort, 'origin'>,
    readonly authenticator: SoftAuthenticator = new SoftAuthenticator(),
  ) {}

  /** True while a ceremony waits for the person. */
  get isRunning(): boolean {
    return this.running !== null;
  }

  /** Makes the person wait: they do not answer until the returned function is called. */
  hold(): () => void {
    let release = (): void => undefined;
    this.decision = new Promise((resolve) => {
      release = () => {
        this.decision = null;
        resolve();
      };
    });
    return release;
  }

  async supportsAutofill(): Promise<boolean> {
    return this.supported && this.autofill;
  }

  hasAutofillInput(): boolean {
    return this.inputs.some(asksForPasskeys);
  }

  async creation(): Promise<'here' | 'elsewhere' | 'none'> {
    if (!this.supported) return 'none';
    return this.platform ? 'here' : 'elsewhere';
  }

  async signalUnknown(rpId: string, credentialId: string): Promise<void> {
    if (this.supported) this.authenticator.forget(rpId, credentialId);
  }

  async signalAccepted(rpId: string, userId: string, credentialIds: readonly string[]): Promise<void> {
    if (this.supported) this.authenticator.keepAccepted(rpId, userId, credentialIds);
  }

  async signalDetails(rpId: string, userId: string, names: UserNames): Promise<void> {
    if (this.supported) this.authenticator.rename(rpId, userId, names);
  }

  async isCapable(capability: 'conditionalCreate' | 'immediateGet'): Promise<boolean> {
    return this.supported && this.capabilities.has(capability);
  }

  async create(json: string, signal?: AbortSignal, mediation?: 'conditional'): Promise<string> {
    const options = creationOptions(json);
    const silent = mediation === 'conditional';
    const record = { kind: silent ? 'silentCreate' : 'create', options: JSON.parse(json) as unknown } as const;
    return this.ceremony(record, signal, async () => {
      if (silent && !this.capabilities.has('conditionalCreate')) throw new DOMException('Not here', 'NotAllowedError');
      return this.authenticator.create(options, this.browser.origin, silent);
    });
  }

  async get(json: string, mediation: Parameters<WebauthnPort['get']>[1], signal?: AbortSignal): Promise<string> {
    const options = requestOptions(json);
    const record = { kind: mediation, options: JSON.parse(json) as unknown };
    return this.ceremony(record, signal, async () => this.authenticator.get(options, this.browser.origin));
  }

  private async ceremony(
    record: SeenCeremony,
    signal: AbortSignal | undefined,
    perform: () => Promise<SoftCredential>,
  ): Promise<string> {
    if (!this.supported) throw new DOMException('This browser has no passkeys', 'NotSupportedError');
    const aborted = new DOMException('The ceremony was aborted', 'AbortError');
    if (signal?.aborted === true) throw aborted;
    this.running?.abort();
    const own = new AbortController();
    this.running = own;
    (this.ceremonies as SeenCeremony[]).push(record);
    const stopped = new Promise<never>((_, reject) => {
      for (const one of [own.signal, signal]) one?.addEventListener('abort', () => reject(aborted), { once: true });
    });
    // Prevents an unhandled rejection if the ceremony is aborted after it has ended.
    stopped.catch(() => undefined);
    try {
      if (this.decision !== null) await Promise.race([this.decision, stopped]);
      if (this.refusal !== null) throw this.refusal;
      return jsonWithBuffers(await Promise.race([perform(), stopped]));
    } finally {
      if (this.running === own) this.running = null;
    }
  }
}
