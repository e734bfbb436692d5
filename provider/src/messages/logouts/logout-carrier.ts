import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import type { OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import { signLogoutToken, type EndedSession } from '#provider/base/security/logout-token.ts';
import { signingKey } from '#provider/base/security/signing-keys.ts';
import { findApp } from '#provider/project/registry/connected-apps.ts';
import type { Services } from '../services.ts';
import { exchange, gatewayFetch, later } from '../mail/gateway.ts';
import type { Carrier, Outcome, Parcel } from '../outbox/carrier.ts';

/** A refusal of the token itself (OpenID Connect Back-Channel Logout 1.0, section 2.8). Another token would be refused, too. */
const INVALID = 400;

type LogoutServices = Pick<Services, 'db' | 'clock' | 'random' | 'keys' | 'project'>;

function endedSession(text: string): EndedSession | null {
  const json = parseJson(text);
  if (!isRecord(json)) return null;
  const { iss, sub, sid } = json;
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof sid !== 'string') return null;
  return { iss, sub, sid };
}

/**
 * Notifies apps that a session has ended, with a logout token signed for each attempt (OpenID Connect Back-Channel Logout 1.0). It uses the
 * app's current URL. Private networks are called only for apps of the project file, and only if the project allows loopback: any other
 * app's URL came from outside.
 */
export class LogoutCarrier implements Carrier {
  private readonly services: LogoutServices;
  private readonly now: () => number;
  private readonly inside: OutsideFetch;
  private readonly outside: OutsideFetch;

  /** @param now the real time, which apps use to check tokens */
  constructor(services: LogoutServices, now: () => number = Date.now) {
    this.services = services;
    this.now = now;
    this.inside = gatewayFetch({ allowPrivate: services.project.allow_loopback });
    this.outside = gatewayFetch({ allowPrivate: false });
  }

  async deliver({ to: client_id, text }: Parcel, signal: AbortSignal): Promise<Outcome> {
    const session = endedSession(text);
    const client = await findApp(this.services, client_id);
    const uri = client?.backchannel_logout_uri ?? null;
    if (session === null || uri === null) return { kind: 'rejected', reason: 'the app has no backchannel_logout_uri' };
    const fetch = client?.run_time === undefined ? this.inside : this.outside;
    const key = await signingKey(this.services, 'apps');
    const token = await signLogoutToken({ random: this.services.random, now: this.now() }, session, { client_id, key });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ logout_token: token }).toString();
    return exchange(() => fetch(uri, { method: 'POST', headers, body, signal }), outcomeOf);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function outcomeOf(reply: Response): Promise<Outcome> {
  if (reply.ok) return { kind: 'sent' };
  const reason = `the app answered ${reply.status}`;
  return reply.status === INVALID ? { kind: 'rejected', reason } : later(reply, reason);
}
