import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import type { OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import type { Carrier, Outcome, Parcel } from '../outbox/carrier.ts';
import type { TwilioSettings } from '#provider/project/settings/delivery.ts';
import { exchange, gatewayFetch, later, type GatewayOptions } from './gateway.ts';

/** Errors of the account or the sender, not of the message. The operator can correct them. */
const OF_THE_ACCOUNT: ReadonlySet<number> = new Set([20003, 21603, 21606, 21659, 21660, 21701, 21703, 63007]);

/** Twilio's bounds of `ValidityPeriod`, in seconds. */
const [SHORTEST_S, LONGEST_S] = [5, 36_000];

/** Delivers text messages with Twilio's API, which other services also offer. */
export class TwilioCarrier implements Carrier {
  private readonly settings: TwilioSettings;
  private readonly fetch: OutsideFetch;
  private readonly now: () => number;

  constructor(settings: TwilioSettings, options: GatewayOptions, now: () => number = Date.now) {
    this.settings = settings;
    this.fetch = gatewayFetch(options);
    this.now = now;
  }

  deliver(parcel: Parcel, signal: AbortSignal): Promise<Outcome> {
    const { base_url, account_sid, auth_token } = this.settings;
    const url = `${base_url.replace(/\/$/u, '')}/2010-04-01/Accounts/${account_sid}/Messages.json`;
    const headers = {
      authorization: `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    };
    const body = this.form(parcel).toString();
    return exchange(() => this.fetch(url, { method: 'POST', headers, body, signal }), outcomeOf);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private form({ channel, to, text, code, expiresAt }: Parcel): URLSearchParams {
    const { from, messaging_service_sid, content_sid, content_code_variable } = this.settings;
    const prefix = channel === 'whatsapp' ? 'whatsapp:' : '';
    const ttlSeconds = Math.floor((expiresAt.getTime() - this.now()) / 1000);
    const form = new URLSearchParams({
      To: `${prefix}${to}`,
      // Twilio drops messages that it could not send by then.
      ValidityPeriod: String(Math.min(Math.max(ttlSeconds, SHORTEST_S), LONGEST_S)),
    });
    if (messaging_service_sid !== null) form.set('MessagingServiceSid', messaging_service_sid);
    else form.set('From', `${prefix}${from ?? ''}`);
    if (content_sid !== null && code !== undefined) {
      form.set('ContentSid', content_sid);
      form.set('ContentVariables', JSON.stringify({ [content_code_variable]: code }));
    } else form.set('Body', text);
    return form;
  }
}

/** Leaves out Twilio's message, because it may quote the number or the text. */
async function outcomeOf(reply: Response): Promise<Outcome> {
  const json = parseJson(await reply.text());
  const { sid, code } = isRecord(json) ? json : {};
  if (reply.ok) return { kind: 'sent', ...(isMessageSid(sid) ? { reference: sid } : {}) };
  const error = typeof code === 'number' && Number.isInteger(code) ? `, error ${code}` : '';
  const reason = `the gateway answered ${reply.status}${error}`;
  const isOfTheMessage = reply.status === 400 && !(typeof code === 'number' && OF_THE_ACCOUNT.has(code));
  return isOfTheMessage ? { kind: 'rejected', reason } : later(reply, reason);
}

const isMessageSid = (sid: unknown): sid is string => typeof sid === 'string' && /^[A-Z]{2}[\da-f]{32}$/iu.test(sid);
