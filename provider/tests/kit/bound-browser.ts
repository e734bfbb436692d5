import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { API, type CookiePage } from './cookie-pages.ts';
import type { Fields, Provider } from './harness.ts';

const REGISTER = `${API}/sessions/device_bound/register`;
const REFRESH = `${API}/sessions/device_bound/refresh`;

interface BrowserKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function newBrowserKey(algorithm: 'ES256' | 'RS256' = 'ES256'): Promise<BrowserKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { privateKey, jwk: await exportJWK(publicKey) };
}

/** What a proof can say otherwise than the browser does. */
interface ProofChanges {
  readonly typ?: string;
  readonly claims?: Fields;
  readonly header?: Fields;
}

/** A proof in the form of Chromium 156: the key is in the header of a registration, and the challenge is the only claim. */
export async function proofOf(
  { privateKey, jwk }: BrowserKey,
  challenge: string,
  { typ = 'dbsc+jwt', claims = {}, header = {} }: ProofChanges = {},
): Promise<string> {
  const alg = jwk.kty === 'EC' ? 'ES256' : 'RS256';
  return new SignJWT({ jti: challenge, ...claims }).setProtectedHeader({ alg, typ, ...header }).sign(privateKey);
}

export const challengeIn = (header: string | null): string =>
  /challenge="([^"]+)"/u.exec(header ?? '')?.[1] ?? /^"([^"]+)"/u.exec(header ?? '')?.[1] ?? '';

const OWN_REQUEST = { origin: new URL(API).origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' };

/** Plays the browser's part of device-bound session credentials for the cookies of a page. */
export class BoundBrowser {
  constructor(
    readonly page: CookiePage,
    readonly key: BrowserKey,
    private readonly app: Pick<Provider['app'], 'request'>,
    /** How it describes the sender of its own requests. */
    private readonly description: Readonly<Record<string, string>> = OWN_REQUEST,
  ) {}

  async post(url: string, headers: Readonly<Record<string, string>> = {}) {
    const reply = await this.app.request(url, {
      method: 'POST',
      headers: {
        ...this.description,
        cookie: this.page.jar.sentTo(url),
        ...headers,
      },
    });
    const lines = reply.headers.getSetCookie();
    this.page.jar.receive(url, lines);
    const text = await reply.text();
    const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Fields;
    return { status: reply.status, lines, body, challenge: challengeIn(reply.headers.get('secure-session-challenge')) };
  }

  /** Answers the offer of a login with this browser's key. */
  async register(offer: string | null, { privateKey, jwk } = this.key, changes: ProofChanges = {}) {
    const header = { jwk, ...changes.header };
    const proof = await proofOf({ privateKey, jwk }, challengeIn(offer), { ...changes, header });
    return this.post(REGISTER, { 'secure-session-response': proof });
  }

  async askChallenge(id: string) {
    return this.post(REFRESH, { 'sec-secure-session-id': id });
  }

  async answer(id: string, proof: string) {
    return this.post(REFRESH, { 'sec-secure-session-id': id, 'secure-session-response': proof });
  }

  /** The whole refresh. */
  async refresh(id: string, key = this.key) {
    const { challenge } = await this.askChallenge(id);
    return this.answer(id, await proofOf(key, challenge));
  }

  /** Forgets the JWT's cookie, as when its `Max-Age` is over. */
  forgetProof(): void {
    this.page.jar.receive(API, ['stytch_session_jwt=; Max-Age=0; Path=/; Domain=example.com']);
  }
}

/** Signs somebody up in a new browser, which registers a key for the session and has not used it yet. */
export async function signUpOnTrial(provider: Provider, page: CookiePage, key?: BrowserKey) {
  const browser = new BoundBrowser(page, key ?? (await newBrowserKey()), provider.app);
  const { data, headers } = await page.signUp();
  const registered = await browser.register(headers.get('secure-session-registration'));
  const { session_id } = data['session'] as { session_id: string };
  return { browser, session_id, registered, data };
}

/** Signs somebody up in a new browser and binds the session to it. */
export async function signUpBound(provider: Provider, page: CookiePage, key?: BrowserKey) {
  const found = await signUpOnTrial(provider, page, key);
  const proved = await found.browser.refresh(found.session_id);
  return { ...found, proved };
}
