import type { MessageChannel } from './channel.ts';

/** A message for delivery by email, SMS or WhatsApp, in the format of `GET /dev/inbox.json`. */
export interface InboxMessage {
  readonly id: string;
  readonly channel: MessageChannel;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly code?: string;
  readonly link?: string;
  /** RFC 3339. */
  readonly at: string;
  /** When the code or link expires, by the provider's clock. */
  readonly expires_at: string;
}

type Listener = (message: InboxMessage) => void;

/** Notifies the open inbox pages of new messages. */
export class InboxHub {
  private readonly listeners = new Set<Listener>();
  private readonly closers = new Set<() => void>();

  publish(message: InboxMessage): void {
    for (const listener of this.listeners) listener(message);
  }

  /** @param closed called when the server stops: the stream must end, or the server would wait for it */
  subscribe(listener: Listener, closed: () => void): () => void {
    this.listeners.add(listener);
    this.closers.add(closed);
    return () => {
      this.listeners.delete(listener);
      this.closers.delete(closed);
    };
  }

  close(): void {
    for (const closed of this.closers) closed();
  }
}
