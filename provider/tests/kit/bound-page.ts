import { createHash, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { newBrowserKey } from './bound-browser.ts';
import type { Fields, Provider, ProviderResponse } from './harness.ts';

type PageKey = Awaited<ReturnType<typeof newBrowserKey>>;
type Sender = Pick<Provider, 'call' | 'services'>;

/** What a proof can say otherwise than an honest page's. */
export interface ChangedProof {
  readonly key?: PageKey;
  readonly claims?: Fields;
  readonly header?: Fields;
}

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** A page with a key of its own, which proves each call by hand. */
export class BoundPage {
  nonce: string | undefined;

  private constructor(
    private readonly provider: Sender,
    readonly key: PageKey,
  ) {}

  static async open(provider: Sender): Promise<BoundPage> {
    return new BoundPage(provider, await newBrowserKey());
  }

  get origin(): string {
    return this.provider.services.project.issuer ?? 'http://localhost';
  }

  /** The proof of one call. An undefined claim is left out. */
  async proofOf(
    method: string,
    path: string,
    session: string | undefined,
    { key = this.key, claims = {}, header = {} }: ChangedProof = {},
  ): Promise<string> {
    const said = {
      htm: method,
      htu: `${this.origin}/sdk/v1${path}`,
      iat: 1,
      jti: randomUUID(),
      nonce: this.nonce,
      ath: session === undefined ? undefined : hashOf(session),
      ...claims,
    };
    const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
    return new SignJWT(given)
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk, ...header })
      .sign(key.privateKey);
  }

  /** Sends a call with the header alone. */
  async sendWith(dpop: string, method: string, path: string, body?: unknown, session?: string) {
    return this.provider.call(method, path, body, { headers: { dpop }, ...(session !== undefined && { session }) });
  }

  /** Sends a call with a proof, again with the nonce if it is asked for. */
  async call(method: string, path: string, body?: unknown, session?: string, changes?: ChangedProof) {
    const send = async (): Promise<ProviderResponse> =>
      this.sendWith(await this.proofOf(method, path, session, changes), method, path, body, session);
    const first = await send();
    this.nonce = first.headers.get('dpop-nonce') ?? this.nonce;
    return first.body['error_type'] === 'use_dpop_nonce' ? send() : first;
  }

  async authenticate(session: string, body: Fields = {}): Promise<ProviderResponse> {
    return this.call('POST', '/sessions/authenticate', body, session);
  }

  async me(session: string): Promise<ProviderResponse> {
    return this.call('GET', '/users/me', undefined, session);
  }
}

/** Logs in with a passcode in a page, whose key the session is bound to. */
export async function signInBound(
  provider: Sender & Pick<Provider, 'sendCode'>,
  email: string,
  page?: BoundPage,
  session?: string,
) {
  const browser = page ?? (await BoundPage.open(provider));
  const { method_id, code } = await provider.sendCode(email);
  const body = { token: code, method_id, session_duration_minutes: 60 };
  const reply = await browser.call('POST', '/otps/authenticate', body, session);
  const token = String(reply.data['session_token']);
  const jwt = String(reply.data['session_jwt']);
  return { page: browser, reply, token, jwt };
}
