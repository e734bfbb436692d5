import { basic, PUBLIC_TOKEN, type Answered, type Fields, type Provider } from '../kit/harness.ts';

/** A client at a network address, as the provider sees it. */
export interface Place {
  readonly post: (path: string, body: Fields, session?: string) => Promise<Answered>;
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

/** This many separate networks, from TEST-NET-2 (RFC 5737). */
export function networks(count: number): readonly string[] {
  return Array.from({ length: count }, (_, place) => `198.51.100.${place + 1}`);
}

/** The code of the newest message to that address or number. */
export async function codeFor(provider: Provider, to: string): Promise<string> {
  return (await provider.inbox()).find((message) => message.to === to)?.code ?? '';
}
