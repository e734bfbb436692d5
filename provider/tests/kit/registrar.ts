import type { Fields, Provider } from './harness.ts';
import { ISSUER } from './idp-harness.ts';

interface RegistrationReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Fields;
}

/** How an agent registers itself (RFC 7591) and manages its registration (RFC 7592). */
export function registrar(provider: () => Provider) {
  const send = async (
    method: string,
    path: string,
    { json, token, from }: { readonly json?: unknown; readonly token?: string | undefined; readonly from?: string },
  ): Promise<RegistrationReply> => {
    const request = {
      method,
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    };
    const peer = from === undefined ? undefined : { incoming: { socket: { remoteAddress: from } } };
    const reply = await provider().app.request(`${ISSUER}/oauth2${path}`, request, peer);
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, body: (text === '' ? {} : JSON.parse(text)) as Fields };
  };
  const register = (metadata: unknown, token?: string, from?: string) =>
    send('POST', '/register', { json: metadata, token, ...(from === undefined ? {} : { from }) });
  /** The registration of a client, by its own token or another one. */
  const at =
    ({ client_id, registration_access_token }: Fields, token: string | undefined = registration_access_token) =>
    (method: 'GET' | 'PUT' | 'DELETE', json?: unknown) =>
      send(method, `/register/${String(client_id)}`, { token, ...(json === undefined ? {} : { json }) });
  return { register, at };
}
