import type { OTPMethods } from 'portico';

/** A message that the provider would have sent. */
export interface Message {
  readonly id: string | number;
  readonly channel: OTPMethods;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly code?: string | null;
  readonly link?: string | null;
  /** RFC 3339. */
  readonly at: string;
  /** When its code or link expires; absent in messages of older providers. */
  readonly expires_at?: string;
}

export type FeedState = 'connecting' | 'live' | 'down';

export interface Listener {
  /** Messages in any order, possibly received before. */
  messages(messages: readonly Message[]): void;
  state(state: FeedState): void;
}

const NAME = 'portico-demo-inbox';
const AGAIN_MS = 2_000;

/**
 * Receives the newest messages of the provider's outbox and every later one, also after an outage of the provider.
 *
 * One tab of the browser holds the stream and forwards messages to the others: a browser opens only about six connections to a
 * server, and a stream in each of ten tabs would leave none for signing in.
 *
 * @param earlier how many messages are read first
 */
export function followInbox(provider: string, earlier: number, listener: Listener): void {
  const channel = openChannel();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, and takes no other
  const tell = (word: FeedEvent): void => channel?.postMessage(word);
  let state: FeedState = 'connecting';

  const catchUp = async () => {
    try {
      const reply = await fetch(`${provider}/dev/inbox.json?limit=${earlier}`);
      const list: unknown = await reply.json();
      if (Array.isArray(list)) listener.messages(list.filter(isMessage));
    } catch {
      // The stream soon reports that the provider is not available.
    }
  };
  const enter = (next: FeedState) => {
    if (next === state) return;
    state = next;
    listener.state(next);
    if (next === 'live') void catchUp();
  };

  let leads = false;
  channel?.addEventListener('message', ({ data }: MessageEvent<FeedEvent>) => {
    if ('asks' in data) {
      if (leads) tell({ state });
    } else if ('state' in data) enter(data.state);
    else listener.messages([data.message]);
  });
  tell({ asks: true });

  const lead = async () => {
    leads = true;
    const say = (next: FeedState) => {
      enter(next);
      tell({ state: next });
    };
    stream(provider, say, (message) => {
      listener.messages([message]);
      tell({ message });
    });
    // Held until the tab is closed; then another tab takes over.
    await new Promise<never>(() => {});
  };
  // A page that may have no storage may have no lock either, and leads for itself.
  if ('locks' in navigator) void navigator.locks.request(NAME, lead).catch(lead);
  else void lead();
}

/** Null where the browser refuses the page its storage, such as Firefox without cookies. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(NAME);
  } catch {
    return null;
  }
}

type FeedEvent = { readonly asks: true } | { readonly state: FeedState } | { readonly message: Message };

/** The browser reconnects by itself after a lost connection, but not after a refusal. */
function stream(provider: string, say: (state: FeedState) => void, hear: (message: Message) => void): void {
  const source = new EventSource(`${provider}/dev/inbox/stream`);
  source.addEventListener('open', () => say('live'));
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message: unknown = JSON.parse(data);
    if (isMessage(message)) hear(message);
  });
  source.addEventListener('error', () => {
    say('down');
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => stream(provider, say, hear), AGAIN_MS);
  });
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  const { id, to, at } = value as Partial<Record<keyof Message, unknown>>;
  return (typeof id === 'string' || typeof id === 'number') && typeof to === 'string' && typeof at === 'string';
}
