import type { OtpMethod } from '#domain/passcodes/otp.ts';

/** A message that the provider would have sent. */
export interface InboxMessage {
  readonly id: string;
  readonly channel: OtpMethod;
  /** The email address or phone number (E.164). */
  readonly to: string;
  /** Empty for text messages. */
  readonly subject: string;
  readonly text: string;
  /** The passcode in it, if any. */
  readonly code?: string;
  /** The link in it, if any. */
  readonly link?: string;
  /** RFC 3339. */
  readonly at: string;
}

/** The time limit for a message. */
export interface WaitOptions {
  /** The time limit for a message, in milliseconds. Default: 5000. */
  readonly timeout?: number;
}

const POLL_MS = 50;

/**
 * The messages of a provider that was started with `--dev`. Each passcode and each link is returned once, so a second call waits for the
 * next message.
 */
export class Inbox {
  private readonly usedKeys = new Set<string>();

  /** @param apiUrl the provider, such as `http://localhost:4100` */
  constructor(private readonly apiUrl: string) {}

  /** The messages to an email address or phone number, newest first. */
  async messagesTo(address: string): Promise<readonly InboxMessage[]> {
    const url = `${this.apiUrl}/dev/inbox.json?to=${encodeURIComponent(address)}`;
    const reply = await fetch(url);
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}. The inbox needs a provider that runs with --dev.`);
    return (await reply.json()) as readonly InboxMessage[];
  }

  /** The newest passcode that was sent to the address. Rejects when none comes in time. */
  async codeFor(address: string, options?: WaitOptions): Promise<string> {
    return this.next('code', address, options);
  }

  /** The newest link that was sent to the address. Rejects when none comes in time. */
  async linkFor(address: string, options?: WaitOptions): Promise<string> {
    return this.next('link', address, options);
  }

  private async next(field: 'code' | 'link', address: string, { timeout = 5_000 }: WaitOptions = {}): Promise<string> {
    const until = Date.now() + timeout;
    for (;;) {
      const message = (await this.messagesTo(address)).find((one) => one[field] !== undefined);
      const key = `${field} ${message?.id}`;
      if (message !== undefined && !this.usedKeys.has(key)) {
        this.usedKeys.add(key);
        return message[field] ?? '';
      }
      if (Date.now() >= until) throw new Error(this.missing(field, address, timeout, message));
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  private missing(field: string, address: string, timeout: number, last: InboxMessage | undefined): string {
    const none = `No ${field} came to ${address} within ${timeout} ms.`;
    return last === undefined ? none : `${none} The newest one, of ${last.at}, was given out already.`;
  }
}
