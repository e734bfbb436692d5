/** The ports of the client, without a DOM: some from `portico/adapters`, some on what the device gives, some that say no. */
import { ConsoleLog, LibPhone, PageLock, SystemClock, Zxcvbn } from 'portico/adapters';
import type {
  BrowserPort,
  CookiesPort,
  CryptoPort,
  HttpRequest,
  HttpResponse,
  Ports,
  StoragePort,
} from 'portico/adapters';
import { NEVER, Observable, of } from 'rxjs';

const TIMEOUT_MS = 60_000;

/** Texts that stay when the app ends. Calls are synchronous. */
export interface TextStore {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/** What the client needs of the device. */
export interface Device {
  /** For the tokens of the session: encrypted by the system. */
  readonly secrets: TextStore;
  readonly storage: TextStore;
  readonly crypto: CryptoPort;
  /** An IANA name. */
  readonly timezone: string;
  /** Opens the system's browser. */
  openUrl(url: string): void;
  /** Calls the listener each time the app comes back to the front. Returns a function that ends it. */
  onActive(listener: () => void): () => void;
}

export function portsOf(device: Device, site: URL): Ports {
  const clock = new SystemClock(globalThis);
  return {
    clock,
    transport: { send },
    storage: withoutTabs(device.storage),
    tabStorage: withoutTabs(inMemory()),
    cookies: cookiesIn(device.secrets),
    crypto: device.crypto,
    lock: new PageLock(clock),
    log: new ConsoleLog(globalThis),
    browser: browserFor(device, site),
    phone: new LibPhone(),
    passwordStrength: new Zxcvbn(),
    ...MISSING,
  };
}

/** The same store for the one app that there is: no other tab changes a value. */
const withoutTabs = (store: TextStore): StoragePort => ({
  get: (key) => store.get(key),
  set: (key, value) => store.set(key, value),
  remove: (key) => store.remove(key),
  changes: () => NEVER,
});

export function inMemory(): TextStore {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}

/** The session's tokens, under the names that their cookies have in a browser. */
const cookiesIn = (secrets: TextStore): CookiesPort => ({
  get: (name) => {
    const { value, expiresAt } = JSON.parse(secrets.get(name) ?? '{}') as { value?: string; expiresAt?: number | null };
    return value === undefined || (expiresAt ?? Infinity) <= Date.now() ? null : value;
  },
  set: (name, value, _scope, expiresAt) => secrets.set(name, JSON.stringify({ value, expiresAt })),
  remove: (name) => secrets.remove(name),
});

/** React Native's `fetch`, without the cookies that the system would store. */
async function send({ method, url, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
  const abort = new AbortController();
  const onAbort = () => abort.abort();
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort);
  const timer = setTimeout(onAbort, TIMEOUT_MS);
  try {
    const reply = await fetch(url, { method, headers, body, signal: abort.signal, credentials: 'omit' });
    // React Native follows redirects; this API sends none.
    if (reply.url && reply.url !== url) throw new Error('the server redirects');
    const received: Record<string, string> = {};
    reply.headers.forEach((value, name) => (received[name.toLowerCase()] = value));
    return { status: reply.status, headers: received, text: await reply.text() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function browserFor(device: Device, site: URL): BrowserPort {
  const claimed = new Set<string>();
  return {
    origin: site.origin,
    hostname: site.hostname,
    timezone: device.timezone,
    userAgent: '',
    isFramed: false,
    mayAutofillPasskeys: false,
    wakes$: new Observable<void>((subscriber) => device.onActive(() => subscriber.next())),
    leaves$: NEVER,
    href: () => site.href,
    replaceUrl: () => undefined,
    navigate: (url) => device.openUrl(url),
    claim: (name) => {
      if (claimed.has(name)) return null;
      claimed.add(name);
      return () => void claimed.delete(name);
    },
  };
}

const unsupported = (what: string) =>
  Object.assign(new Error(`${what} is not supported here`), { name: 'NotSupportedError' });
const refuse = (what: string) => async () => {
  throw unsupported(what);
};

/** What needs a page, or a native module that this app does not have. */
const MISSING = {
  webauthn: {
    supportsAutofill: async () => false,
    hasAutofillInput: () => false,
    creation: async () => 'none',
    create: refuse('A passkey'),
    get: refuse('A passkey'),
    signalUnknown: async () => undefined,
    signalAccepted: async () => undefined,
    signalDetails: async () => undefined,
    isCapable: async () => false,
  },
  wallet: {
    detect: () => of([]),
    connect: async () => Promise.reject(new Error('Could not connect to wallet')),
    sign: async () => Promise.reject(new Error('Could not sign message')),
  },
  oneTap: {
    isDrawnByBrowser: () => false,
    show: async () => ({ success: false, reason: 'not supported here' }),
    hide: () => undefined,
  },
  captcha: { token: async () => null },
  deviceTelemetry: { id: async () => null },
  outbox: { add: async () => false, take: async () => [] },
  formPost: {
    submit: () => {
      throw unsupported('A form');
    },
  },
} satisfies Partial<Ports>;
