import { basic, PUBLIC_TOKEN, type ProviderResponse, type Fields, type Provider } from '../kit/harness.ts';

/** A client at a network address, as the provider sees it. */
export interface Place {
  readonly post: (path: string, body: Fields, session?: string) => Promise<ProviderResponse>;
}

type App = Pick<Provider['app'], 'request'>;

/** Calls the app from that network address, by which limits are counted. */
export function at(app: App, remoteAddress: string): Place {
  return {
    async post(path, body, session = PUBLIC_TOKEN) {
      const init = {
        method: 'POST',
        headers: { authorization: basic(PUBLIC_TOKEN, session), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      const reply = await app.request(`/sdk/v1${path}`, init, { incoming: { socket: { remoteAddress } } });
      const json = (await reply.json()) as Fields;
      return { status: reply.status, headers: reply.headers, body: json, data: (json['data'] ?? {}) as Fields };
    },
  };
}

/** A browser, which keeps the cookies that the provider sets for it; in one that moves elsewhere they are given. */
export function browserAt(app: App, remoteAddress: string, cookies = new Map<string, string>()) {
  const post: Place['post'] = async (path, body, session = PUBLIC_TOKEN) => {
    const headers = {
      authorization: basic(PUBLIC_TOKEN, session),
      'content-type': 'application/json',
      origin: 'http://localhost:3000',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const reply = await app.request(`/sdk/v1${path}`, init, { incoming: { socket: { remoteAddress } } });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      cookies.set(name, value);
    }
    const json = (await reply.json()) as Fields;
    return { status: reply.status, headers: reply.headers, body: json, data: (json['data'] ?? {}) as Fields };
  };
  return { post, cookies };
}

/** This many /64 networks of one /48, or of the /48 that follows it (RFC 3849). */
export function subnets(count: number, site = 0): readonly string[] {
  const prefix = `2001:db8:${(0x100 + site).toString(16)}`;
  // Spread over the /56 networks of the /48.
  return Array.from({ length: count }, (_, place) => `${prefix}:${((place * 257) % 65_536).toString(16)}::1`);
}

/** This many separate networks, from TEST-NET-2 (RFC 5737). */
export function networks(count: number): readonly string[] {
  return Array.from({ length: count }, (_, place) => `198.51.100.${place + 1}`);
}

/** The code of the newest message to that address or number. */
export async function codeFor(provider: Provider, to: string): Promise<string> {
  return (await provider.newest(to))?.code ?? '';
}
