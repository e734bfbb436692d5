import { describe, expect, it } from 'vitest';
import { api, type Endpoint } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { ROWS, open } from './call-table.ts';

describe('every call', () => {
  for (const { call, to, path, body, signedIn } of ROWS) {
    it(`${to.name} sends ${to.method} ${path ?? to.path} with exactly its fields${signedIn ? ', signed in' : ''}`, async () => {
      const { world, client } = await open(signedIn);
      world.transport.answer(to, () => errorReply(418, 'teapot'));
      await expect(call(client)).rejects.toMatchObject({ error_type: 'teapot', status_code: 418 });
      const [request] = world.transport.requestsTo(to);
      expect(request).toMatchObject({ method: to.method, path: path ?? to.path });
      expect(request?.body).toEqual(body);
    });
  }
});

describe('calls from JavaScript', () => {
  it('take null for options that are not given, and name an argument that is missing', async () => {
    const { world, client, tab } = await open(true);
    const none = null as never;
    const sent: readonly [Endpoint, () => Promise<unknown>, object][] = [
      [api.sessions.authenticate, () => client.session.authenticate(none), {}],
      [
        api.magicLinks.loginOrCreate,
        () => client.magicLinks.email.loginOrCreate('ada@a.example', none),
        { email: 'ada@a.example' },
      ],
      [api.otps.smsLoginOrCreate, () => client.otps.sms.loginOrCreate('+1', none), { phone_number: '+1' }],
      [api.sessions.revoke, () => client.session.revoke(none), {}],
    ];
    for (const [endpoint, call, body] of sent) {
      world.transport.answer(endpoint, () => errorReply(418, 'teapot'));
      await expect(call()).rejects.toMatchObject({ error_type: 'teapot' });
      expect(world.transport.requestsTo(endpoint).at(-1)?.body).toMatchObject(body);
    }
    world.transport.answer(api.webauthn.registerStart, () => errorReply(418, 'teapot'));
    await expect(client.webauthn.register(none)).rejects.toMatchObject({ error_type: 'teapot' });
    await client.oauth.github.start(none);
    expect(tab.browser.navigations).toHaveLength(1);
    await expect(client.user.update(none)).rejects.toMatchObject({
      name: 'SDKUsageError',
      message: 'Invalid call to user.update\nchanges must be an object',
    });
  });
});

describe('calls that sign in', () => {
  const signIn = ROWS.filter(({ to }) => 'session' in to.reply && to.name !== 'sessions.authenticate');

  it('are found in the table', () => expect(signIn.length).toBeGreaterThanOrEqual(14));

  for (const { call, to } of signIn) {
    it(`${to.name} makes the session and answers the reply unchanged`, async () => {
      const { world, client, reply } = await open(true);
      const session = { ...(reply?.session as object), session_id: 'session-other' };
      const answer = {
        ...reply,
        session,
        session_token: 'other',
        method_id: 'm',
        webauthn_registration_id: 'r',
        extra: [1],
      };
      world.transport.answer(to, () => answer);
      expect(await call(client)).toEqual(answer);
      expect(client.session.getSync()).toEqual(session);
      expect(client.session.getTokens()?.session_token).toBe('other');
    });
  }
});

describe('replies that change the user', () => {
  it('are taken over, and answered without the whole user', async () => {
    const { world, client, reply } = await open(true);
    const __user = { ...reply?.user, name: { first_name: 'Ada' } };
    world.transport.answer(api.users.update, () => ({ user_id: 'u', emails: [], __user }));
    expect(await client.user.update({ name: { first_name: 'Ada' } })).toEqual({ user_id: 'u', emails: [] });
    expect(client.user.getSync()?.name).toEqual({ first_name: 'Ada' });
    world.transport.answer(api.users.deleteEmail, () => ({
      user_id: 'u',
      user: {},
      __user: { ...__user, emails: [] },
    }));
    await client.user.deleteEmail('e');
    expect(client.user.getSync()?.emails).toEqual([]);
    world.transport.answer(api.totps.create, () => ({
      totp_id: 't',
      secret: 's',
      __user: { ...__user, totps: [{ totp_id: 't', verified: false }] },
    }));
    expect(await client.totps.create({ expiration_minutes: 5 })).toEqual({ totp_id: 't', secret: 's' });
    expect(client.user.getSync()?.totps).toHaveLength(1);
  });
});
