import type { HttpRequest, HttpResponse, TransportPort } from '#application/ports/index.ts';

export type Answer = (
  request: HttpRequest,
) => readonly [status: number, body: unknown, headers?: Record<string, string>];

/** Either API with the replies that a test needs. Those of the backend API are flat. */
export class ScriptedTransport implements TransportPort {
  readonly requests: HttpRequest[] = [];
  answer: Answer = () => [404, {}];

  async send(request: HttpRequest): Promise<HttpResponse> {
    this.requests.push(request);
    const [status, body, headers = {}] = this.answer(request);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return Promise.resolve({ status, text, headers: { 'content-type': 'application/json', ...headers } });
  }
}

export const sessionOf = (user_id: string, fields = {}) => ({
  session_id: `session-of-${user_id}`,
  user_id,
  started_at: '2026-01-01T00:00:00Z',
  last_accessed_at: '2026-01-01T00:00:00Z',
  expires_at: '2030-01-01T00:00:00Z',
  attributes: {},
  authentication_factors: [],
  ...fields,
});
export const signedIn = (user: string, fields = {}): Answer => {
  const reply = { session: sessionOf(user, fields), user: { user_id: user, roles: ['of-the-user'] } };
  return ({ url }) => [200, url.includes('/sdk/') ? { data: reply } : { status_code: 200, ...reply }];
};
export const refused = (status: number, error_type: string, headers = {}): Answer => {
  return () => [status, { status_code: status, error_type, error_message: '', error_url: '' }, headers];
};
