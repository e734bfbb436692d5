import type { OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import { exchange, gatewayFetch, later, type GatewayOptions } from '../mail/gateway.ts';
import type { Carrier, Outcome, Parcel } from '../outbox/carrier.ts';
import { signedHeaders, webhookKeyFrom } from '#provider/base/http/signed-request.ts';
import type { WebhookSettings } from '#provider/project/settings/webhooks.ts';

const GONE = 410;

/** Delivers events to the app's own server, in signed requests (Standard Webhooks 1.0). */
export class EventCarrier implements Carrier {
  private readonly keys: ReadonlyMap<string, readonly Uint8Array[]>;
  private readonly fetch: OutsideFetch;
  private readonly now: () => number;

  constructor(webhooks: readonly WebhookSettings[], options: GatewayOptions, now: () => number = Date.now) {
    const keys = (secrets: readonly string[]) => secrets.map(webhookKeyFrom).filter((key) => key !== null);
    this.keys = new Map(webhooks.map(({ url, secret }) => [url, keys(secret)]));
    this.fetch = gatewayFetch(options);
    this.now = now;
  }

  async deliver({ id, to, text: body }: Parcel, signal: AbortSignal): Promise<Outcome> {
    const keys = this.keys.get(to);
    if (keys === undefined) return { kind: 'rejected', reason: 'the project file has no such webhook' };
    const headers = { 'content-type': 'application/json', ...signedHeaders(keys, { id, at: this.now(), body }) };
    return exchange(() => this.fetch(to, { method: 'POST', headers, body, signal }), outcomeOf);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Receivers get repaired, so every rejection is worth another attempt, except 410 Gone. */
async function outcomeOf(reply: Response): Promise<Outcome> {
  if (reply.ok) return { kind: 'sent' };
  const reason = `the receiver answered ${reply.status}`;
  return reply.status === GONE ? { kind: 'rejected', reason } : later(reply, reason);
}
