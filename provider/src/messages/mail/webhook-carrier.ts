import type { OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import type { Carrier, Outcome, Parcel } from '../outbox/carrier.ts';
import { signedHeaders, webhookKeyFrom } from '#provider/base/http/signed-request.ts';
import type { WebhookGatewaySettings } from '#provider/project/settings/delivery.ts';
import { exchange, gatewayFetch, later, type GatewayOptions } from './gateway.ts';

/** The message itself is rejected. Other statuses of this class are about the URL or the secret, which the operator can change. */
const REFUSED: ReadonlySet<number> = new Set([400, 406, 409, 410, 413, 415, 422]);

/** Delivers text messages to a program of the operator, in signed requests (Standard Webhooks 1.0). */
export class WebhookCarrier implements Carrier {
  private readonly url: string;
  private readonly key: Uint8Array;
  private readonly fetch: OutsideFetch;
  private readonly now: () => number;

  constructor({ url, secret }: WebhookGatewaySettings, options: GatewayOptions, now: () => number = Date.now) {
    const key = webhookKeyFrom(secret);
    if (key === null) throw new TypeError('the secret of the gateway is not one of Standard Webhooks');
    this.url = url;
    this.key = key;
    this.fetch = gatewayFetch(options);
    this.now = now;
  }

  deliver(parcel: Parcel, signal: AbortSignal): Promise<Outcome> {
    const { id, channel, kind, to, text, locale, code, expiresAt } = parcel;
    const at = this.now();
    const body = JSON.stringify({
      type: 'message.send',
      timestamp: new Date(at).toISOString(),
      data: { id, channel, kind, to, text, locale, code, expires_at: expiresAt.toISOString() },
    });
    const headers = { 'content-type': 'application/json', ...signedHeaders([this.key], { id, at, body }) };
    return exchange(() => this.fetch(this.url, { method: 'POST', headers, body, signal }), outcomeOf);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function outcomeOf(reply: Response): Promise<Outcome> {
  if (reply.ok) return { kind: 'sent' };
  const reason = `the gateway answered ${reply.status}`;
  return REFUSED.has(reply.status) ? { kind: 'rejected', reason } : later(reply, reason);
}
