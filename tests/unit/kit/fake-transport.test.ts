import { describe, expect, it } from 'vitest';
import { otps, projects, sessions, users } from '#application/api/index.ts';
import type { HttpRequest } from '#application/ports/index.ts';
import { errorReply, offline, rawReply, reply } from '#kit/transport/fake-reply.ts';
import { FakeTransport } from '#kit/transport/fake-transport.ts';
import { settle } from '#kit/ports/settle.ts';

const BASE = 'https://api.example.com/sdk/v1';

function request(method: HttpRequest['method'], path: string, body: unknown = null): HttpRequest {
  return { method, url: BASE + path, headers: {}, body: body === null ? null : JSON.stringify(body) };
}

describe('FakeTransport', () => {
  it('returns the scripted data, wrapped as on the wire', async () => {
    const transport = new FakeTransport().answer(otps.emailLoginOrCreate, ({ email }) => ({
      method_id: `of ${email}`,
    }));
    const answer = await transport.send(request('POST', '/otps/email/login_or_create', { email: 'a@example.com' }));
    expect([answer.status, answer.text]).toEqual([200, '{"data":{"method_id":"of a@example.com"}}']);
  });

  it('answers 404 for a method or path that is not scripted', async () => {
    const transport = new FakeTransport().answer(users.me, () => ({}));
    for (const each of [request('POST', '/users/me'), request('GET', '/users/me/too'), request('GET', '/x/users/me')]) {
      expect((await transport.send(each)).status).toBe(404);
    }
    expect(transport.requests.map(({ endpoint }) => endpoint)).toEqual([null, null, null]);
  });

  it('reads the parameters of a path', async () => {
    const transport = new FakeTransport().answer(projects.bootstrap, (_, { params }) => ({
      token: params.publicToken,
    }));
    const { text } = await transport.send(request('GET', '/projects/bootstrap/public-token-a%2Fb'));
    expect(text).toBe('{"data":{"token":"public-token-a/b"}}');
  });

  it('answers replies of any kind: bare JSON, raw text, errors of the wire, none at all', async () => {
    const transport = new FakeTransport();
    const answered = async (answer: unknown): Promise<unknown> => {
      transport.answer(users.me, () => answer);
      const { status, text } = await transport.send(request('GET', '/users/me'));
      return [status, text];
    };
    expect(await answered(reply(200, [1]))).toEqual([200, '[1]']);
    expect(await answered(rawReply(502, '<html>'))).toEqual([502, '<html>']);
    expect(await answered(errorReply(401, 'session_not_found'))).toEqual([
      401,
      expect.stringContaining('"error_type":"session_not_found"'),
    ]);
    await expect(answered(offline())).rejects.toThrow('Failed to fetch');
    transport.answer(users.me, () => {
      throw offline();
    });
    await expect(transport.send(request('GET', '/users/me'))).rejects.toThrow('Failed to fetch');
  });

  it('records the requests by endpoint', async () => {
    const transport = new FakeTransport().answer(users.me, () => ({})).answer(sessions.authenticate, () => ({}));
    await transport.send(request('POST', '/sessions/authenticate', { session_duration_minutes: 30 }));
    await transport.send({ ...request('GET', '/users/me'), headers: { Authorization: 'Basic x' } });
    expect(transport.requests.map(({ path }) => path)).toEqual(['/sessions/authenticate', '/users/me']);
    expect(transport.requestsTo(users.me)[0]?.headers).toEqual({ Authorization: 'Basic x' });
    expect(transport.requestsTo(sessions.authenticate)[0]?.body).toEqual({ session_duration_minutes: 30 });
  });

  it('holds answers back and lets them through in any order', async () => {
    let count = 0;
    const transport = new FakeTransport().answer(users.me, () => ({ at: (count += 1) }));
    const held = transport.hold(users.me);
    const order: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      void transport.send(request('GET', '/users/me')).then(({ text }) => order.push(name + text.length));
    }
    await settle();
    expect([held.waiting.length, count, order]).toEqual([3, 3, []]);
    held.release(2);
    await settle();
    held.release();
    await settle();
    expect(order.map((entry) => entry.charAt(0))).toEqual(['c', 'a', 'b']);
    await transport.send(request('GET', '/users/me'));
    expect(held.waiting).toEqual([]);
  });

  it('holds one endpoint without the others', async () => {
    const transport = new FakeTransport().answer(users.me, () => ({})).answer(sessions.revoke, () => ({}));
    const held = transport.hold(users.me);
    const waiting = transport.send(request('GET', '/users/me'));
    expect((await transport.send(request('POST', '/sessions/revoke'))).status).toBe(200);
    held.release();
    expect((await waiting).status).toBe(200);
  });

  it('keeps the cookies a server sets, sends them along, and hides them from the page', async () => {
    const transport = new FakeTransport()
      .answer(sessions.authenticate, () => reply(200, { data: {} }, { 'set-cookie': 's=1; Path=/; HttpOnly' }))
      .answer(sessions.revoke, () => reply(200, { data: {} }, { 'set-cookie': 's=; Max-Age=0' }));
    const { headers } = await transport.send(request('POST', '/sessions/authenticate', {}));
    await transport.send(request('POST', '/sessions/revoke'));
    await transport.send(request('POST', '/sessions/revoke'));
    expect(headers['set-cookie']).toBeUndefined();
    expect(transport.requests.map(({ cookies }) => cookies.get('s'))).toEqual([undefined, '1', undefined]);
  });
});
