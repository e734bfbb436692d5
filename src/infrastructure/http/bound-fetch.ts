import { api, API_PREFIX, sessions } from '#application/api/index.ts';
import type { BindingKey, BindingKeysPort, ClockPort, CryptoPort, LogPort } from '#application/ports/index.ts';
import { INSECURE_PAGE, isInsecure } from '#domain/insecure-page.ts';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import type { FetchScope } from './timed-fetch.ts';
import { proofBy } from './proof.ts';

/** The parts that create proofs. */
export interface BoundFetchParts {
  readonly keys: BindingKeysPort;
  readonly clock: Pick<ClockPort, 'now'>;
  readonly crypto: Pick<CryptoPort, 'uuid' | 'sha256'>;
  readonly log: Pick<LogPort, 'warn'>;
  /** Whether logins in browsers that cannot store a key are rejected. */
  readonly isRequired: boolean;
}

const NO_KEY = {
  status_code: 400,
  request_id: '',
  error_type: 'session_binding_unavailable',
  error_message: 'This browser cannot store a key for the session, as in private windows or with blocked site data.',
  error_url: '',
};

const refusal = (): object =>
  isInsecure(globalThis.crypto) ? { ...NO_KEY, error_type: 'insecure_page', error_message: INSECURE_PAGE } : NO_KEY;

/** The paths of the calls whose reply can contain a session. */
const LOGINS: ReadonlySet<string> = new Set(
  Object.values(api)
    .flatMap((area): readonly { readonly path: string; readonly reply: object }[] => Object.values(area))
    .filter(({ reply }) => reply === sessions.authenticate.reply)
    .map(({ path }) => path),
);

/** The parts of a call that its proof depends on. */
interface ProvedCall {
  readonly path: string;
  /** The project's public token; each project has a separate key. */
  readonly name: string;
  /** The session token or JWT; null for none. */
  readonly secret: string | null;
}

/**
 * Adds a proof of possession to the calls of sessions (RFC 9449). A login binds its session to the key. After that, the server rejects the
 * session's token without a proof for this call, token and time. A proof is valid once, so each attempt gets a new one.
 */
export class BoundFetch implements FetchScope {
  private readonly nonces = new Map<string, string>();
  private isWarned = false;

  constructor(
    private readonly scope: () => FetchScope,
    private readonly parts: BoundFetchParts,
  ) {}

  readonly fetch = async (request: Request, init?: RequestInit): Promise<Response> => {
    const call = callOf(request);
    const isLogin = call !== null && LOGINS.has(call.path);
    if (call === null || (call.secret === null && !isLogin)) return this.send(request, init);
    const { keys } = this.parts;
    const key = await (isLogin ? keys.ensure(call.name) : keys.find(call.name));
    if (key === null && isLogin && call.secret === null) {
      if (this.parts.isRequired) return Response.json(refusal(), { status: NO_KEY.status_code });
      this.warn();
    }
    const response = key === null ? await this.send(request, init) : await this.proved(request, init, call, key);
    return this.settle(response, call, key);
  };

  /** Sends the call with a proof, and repeats it if the server requires its current nonce. The refused call had no effect. */
  private async proved(request: Request, init: RequestInit | undefined, call: ProvedCall, key: BindingKey) {
    const { origin } = new URL(request.url);
    const before = this.nonces.get(origin);
    const response = await this.attempt(request.clone(), init, call, key);
    const nonce = response.headers.get('dpop-nonce');
    if (nonce !== null) this.nonces.set(origin, nonce);
    const isRefused = response.status === 401 && nonce !== null && nonce !== before;
    if (!isRefused || (await typeOf(response.clone())) !== 'use_dpop_nonce') return response;
    return this.attempt(request, init, call, key);
  }

  private async attempt(request: Request, init: RequestInit | undefined, call: ProvedCall, key: BindingKey) {
    request.headers.set('DPoP', await this.proofOf(request, call, key));
    return this.send(request, init);
  }

  private async proofOf({ method, url }: Request, { secret }: ProvedCall, key: BindingKey): Promise<string> {
    const nonce = this.nonces.get(new URL(url).origin);
    return proofBy(key, { method, url, secret, nonce }, this.parts);
  }

  private async settle(response: Response, { path, name }: ProvedCall, key: BindingKey | null): Promise<Response> {
    if (response.ok && key !== null) {
      if (path === sessions.revoke.path) await this.parts.keys.remove(name);
      // In the meantime, a sign-out in another tab may have removed the key.
      else if (LOGINS.has(path)) await this.parts.keys.keep(name, key);
    }
    if (response.status !== 401) return response;
    const text = await response.text();
    const body = parseJson(text);
    const isLost = isRecord(body) && body['error_type'] === 'session_proof_required';
    // This browser does not have the session's key and can never get it, so for this browser the session is over.
    const replyText = isLost ? JSON.stringify({ ...body, error_type: 'unauthorized_credentials' }) : text;
    return new Response(replyText, { status: response.status, headers: response.headers });
  }

  private async send(request: Request, init?: RequestInit): Promise<Response> {
    // Called without a receiver, as `fetch` requires.
    const { fetch } = this.scope();
    return fetch(request, init);
  }

  private warn(): void {
    if (this.isWarned) return;
    this.isWarned = true;
    this.parts.log.warn('This browser cannot store a key; the session is not bound to it.');
  }
}

async function typeOf(response: Response): Promise<unknown> {
  const body = parseJson(await response.text());
  return isRecord(body) ? body['error_type'] : null;
}

/** The call of this wire; null for any other request. */
function callOf({ url, headers }: Request): ProvedCall | null {
  const { pathname } = new URL(url);
  const at = pathname.indexOf(`${API_PREFIX}/`);
  const encoded = /^Basic (.+)$/u.exec(headers.get('authorization') ?? '')?.[1];
  if (at < 0 || encoded === undefined) return null;
  const [name = '', password = ''] = atob(encoded).split(':');
  return { path: pathname.slice(at + API_PREFIX.length), name, secret: password === name ? null : password };
}
