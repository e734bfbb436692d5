import { administer } from '../../kit/managing.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { basic, type ProviderResponse, type Fields, type Provider } from '../../kit/harness.ts';
import { codeOf, consent, enrolTotp, exchange, redeemCode, uniqueEmail } from '../attacker.ts';

/** Who may send a request. */
export const PARTIES = [
  'anyone',
  'the user',
  'the user, first factor only',
  'an impersonator',
  'an app',
  'another user',
  "the app's server",
] as const;
export type PartyName = (typeof PARTIES)[number];

/** Sends a request as one party: of the wire, or for the app's server of the backend API. */
export interface Call {
  readonly party: PartyName;
  (path: string, body?: Fields, method?: 'POST' | 'PUT' | 'GET' | 'DELETE'): Promise<ProviderResponse>;
}

export const isServer = ({ party }: Call): boolean => party === "the app's server";

/** Long enough to outlive every flow. */
export const LONG = { session_duration_minutes: 20_160 };

/** Somebody with three proven addresses, and a session that each of the first two made. */
export class Stage {
  private readonly sessions = new Map<PartyName, string>();

  private constructor(
    readonly provider: Provider,
    readonly user_id: string,
    readonly email: string,
    /** The address that may be in wrong hands, with its session: every flow is begun in it. */
    readonly second: { readonly email: string; readonly email_id: string },
    /** An address on which no session stands that goes on. */
    readonly third: { readonly email_id: string },
    /** The session that the first address made. */
    public own: string,
  ) {}

  static async build(provider: Provider, withApp = false): Promise<Stage> {
    const email = uniqueEmail('first');
    const first = await byCode(provider, email);
    let own = String(first.data['session_token']);
    const added = uniqueEmail('second');
    const adding = await byCode(provider, added, own);
    own = String(adding.data['session_token']);
    const further = uniqueEmail('third');
    const last = await byCode(provider, further, own);
    const { user_id, user } = last.data as { user_id: string; user: { emails: readonly Fields[] } };
    const idOf = (address: string) => String(user.emails.find((each) => each['email'] === address)?.['email_id']);
    const second = { email: added, email_id: idOf(added) };
    // Adding proved the other addresses in the first session: the two sessions stand on one address each.
    const anew = await tokenFrom(provider, email);
    const stage = new Stage(provider, user_id, email, second, { email_id: idOf(further) }, anew);
    if (withApp) {
      const app = await enrolTotp(provider, stage.own);
      stage.own = app.session;
      const proving = { session: await tokenFrom(provider, added) };
      const code = { totp_code: codeOf(provider, app.secret), ...LONG };
      const proven = await provider.post('/totps/authenticate', code, proving);
      provider.clock.time += 30_000;
      stage.sessions.set('the user', String(proven.data['session_token']));
      stage.sessions.set('the user, first factor only', await tokenFrom(provider, email));
    } else {
      stage.sessions.set('the user', await tokenFrom(provider, added));
    }
    return stage;
  }

  /** The session of a party, made when it is first needed. Null where the party presents none. */
  async session(party: PartyName): Promise<string | null> {
    const known = this.sessions.get(party);
    if (known !== undefined) return known;
    const made = await this.makeSession(party);
    if (made !== null) this.sessions.set(party, made);
    return made;
  }

  private async makeSession(party: PartyName): Promise<string | null> {
    const { provider } = this;
    if (party === 'another user') return tokenFrom(provider, uniqueEmail('other'));
    if (party === 'an impersonator') {
      const { token } = await administer(provider.services, 'impersonate', { user: this.user_id, by: 'ann' });
      const reply = await provider.post('/impersonation/authenticate', { impersonation_token: token });
      return String(reply.data['session_token']);
    }
    if (party === 'an app') {
      const code = (await consent(provider, this.own)).data['authorization_code'];
      const tokens = await redeemCode(provider, code);
      return String((await exchange(provider, tokens['access_token'])).data['session_token']);
    }
    return null;
  }

  /** After something ended the user's sessions, or may have: the user signs in again by the first address. */
  async signInAgain(): Promise<void> {
    const again = await byCode(this.provider, this.email);
    this.sessions.set('the user', String(again.data['session_token']));
  }

  /** A login or addition in a session of the user replaces its token. A login in a session of somebody else starts another. */
  private renew(party: PartyName, { data }: ProviderResponse): void {
    const token = data['session_token'];
    const before = this.sessions.get(party);
    const isUsers = party === 'the user' || party === 'the user, first factor only';
    const goesOn = isUsers && data['user_id'] === this.user_id;
    if (!goesOn || before === undefined || typeof token !== 'string' || token === '') return;
    this.sessions.set(party, token);
    if (this.own === before) this.own = token;
  }

  /** A step of the user's own, in the session of the first address. */
  async ownStep(path: string, body: Fields): Promise<ProviderResponse> {
    const before = this.own;
    const reply = await this.provider.post(path, body, { session: before });
    this.own = String(reply.data['session_token'] ?? before);
    if (this.sessions.get('the user') === before) this.sessions.set('the user', this.own);
    return reply;
  }

  call(party: PartyName): Call {
    const send = async (path: string, body: Fields = {}, method = 'POST'): Promise<ProviderResponse> => {
      if (party === "the app's server") return fromBackend(this.provider, method, path, body);
      const session = await this.session(party);
      const reply = await this.provider.call(
        method,
        path,
        method === 'GET' || method === 'DELETE' ? undefined : body,
        session === null ? {} : { session },
      );
      this.renew(party, reply);
      return reply;
    };
    return Object.assign(send, { party });
  }

  async newest(to: string) {
    return this.provider.newest(to);
  }
}

async function byCode(provider: Provider, email: string, session?: string): Promise<ProviderResponse> {
  const extras = session === undefined ? {} : { session };
  const path = session === undefined ? '/otps/email/login_or_create' : '/otps/email/send/secondary';
  const sent = await provider.post(path, { email }, extras);
  const code = (await provider.newest(email))?.code;
  return provider.post('/otps/authenticate', { token: code, method_id: sent.data['method_id'], ...LONG }, extras);
}

async function tokenFrom(provider: Provider, email: string): Promise<string> {
  return String((await byCode(provider, email)).data['session_token']);
}

/** A call of the backend API in the shape of an answer of the wire. */
export async function fromBackend(
  provider: Provider,
  method: string,
  path: string,
  body: Fields,
): Promise<ProviderResponse> {
  const authorization = basic(provider.services.project.project_id, DEV_SECRET);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const reply = await provider.app.request(`/v1${path}`, {
    method,
    headers: { authorization, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  });
  const json = (await reply.json()) as Fields;
  return { status: reply.status, headers: reply.headers, body: json, data: json };
}
