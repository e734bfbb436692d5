import description from '../../provider/openapi.json?raw';
import { DescriptionCheck, type RequestCheck } from './description-check.ts';

type Handle = (request: Request, env?: object) => Response | Promise<Response>;

interface App {
  readonly fetch: Handle;
}

let check: DescriptionCheck | undefined;

/** The check of the provider's description. The tests of a worker share the compiled schemas. */
export const providerCheck = (): DescriptionCheck => (check ??= new DescriptionCheck(JSON.parse(description)));

/** A proxy before a server: passes every request on, and compares it and its response with the description. */
export function checked(handle: Handle, requests: RequestCheck = 'closed'): Handle {
  return async (request, env) => {
    const copy = request.clone();
    const response = await handle(request, env);
    const [requestBody, responseBody] = await Promise.all([copy.text(), response.clone().text()]);
    const { method, url } = request;
    const exchange = {
      method,
      url: new URL(url),
      requestBody,
      requestType: request.headers.get('content-type') ?? '',
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      responseBody,
    };
    providerCheck().check(exchange, requests);
    return response;
  };
}

/** The same for an app of Hono, whose `request` and `fetch` tests call in this process. */
export function checkedApp<A extends App>(
  app: A,
  requests: RequestCheck = 'closed',
): A & { readonly request: (...call: RequestCall) => Promise<Response> } {
  const fetch = checked((request, env) => app.fetch(request, env), requests);
  const request = async (...[input, init, env]: RequestCall): Promise<Response> => {
    const target = typeof input === 'string' ? new URL(input, 'http://localhost') : input;
    return fetch(target instanceof Request ? target : new Request(target, init), env);
  };
  return Object.assign(Object.create(app) as A, { fetch, request });
}

type RequestCall = readonly [input: string | URL | Request, init?: RequestInit, env?: object];

/** Throws if requests or responses since the last call do not match the description. */
export function expectDescribed(): void {
  const found = providerCheck().takeMismatches();
  if (found.length > 0) throw new Error(`These do not match provider/openapi.json:\n${found.join('\n')}`);
}
