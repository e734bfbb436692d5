import { describe, expect, it } from 'vitest';
import type { SignUpRules } from '#server-rules/sign-ups.ts';
import { importUser } from '#provider/operation/operators/users/import-users.ts';
import { EITHER_DATABASE, MINUTE, type ProviderResponse, type Provider } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { oneOf } from '#tests/soak.ts';
import { app, fromServer, isAlive, MINUTES, plantAll, WAYS_IN } from './attacker.ts';
import { FREE, LINK, PROJECT, somebody, WAYS, withDoor, type Person } from './newcomers.ts';

const PROVING = WAYS.filter(({ provesAddress }) => provesAddress);

describe.each(EITHER_DATABASE)('a person who was invited or made, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  const doorOf = (policy: SignUpRules['policy']) => withDoor(provider, { policy });
  const enter = async (door: Provider, person: Person, way = LINK): Promise<ProviderResponse> =>
    (await way.begin(door, person))(door);

  async function invite(door: Provider, { email }: Person, fields: object = {}) {
    const reply = await fromServer(door, '/magic_links/email/invite', { email, ...fields });
    const token = new URL((await provider.newest(email))?.link ?? 'http://none').searchParams.get('token');
    const open = (at: Provider) => at.post('/magic_links/authenticate', { token, ...MINUTES });
    return { reply, open };
  }

  it.each(['open', 'invited'] as const)('comes in by an invitation that was sent while it was %s', async (policy) => {
    const person = somebody();
    const { reply, open } = await invite(doorOf(policy), person);
    expect(reply.status).toBe(200);
    const { status, data } = await open(doorOf('invited'));
    expect([status, data['user_id']]).toEqual([200, reply.body['user_id']]);
    expect((await enter(doorOf('closed'), person)).status).toBe(200);
  });

  it.each(oneOf(2, PROVING))('comes in by $name instead of the link of the invitation', async (way) => {
    const person = somebody();
    const { reply } = await invite(doorOf('invited'), person);
    const { status, data } = await enter(doorOf('invited'), person, way);
    expect([status, data['user_id']]).toEqual([200, reply.body['user_id']]);
  });

  it('does not come in by what proves no address, nor with another address', async () => {
    const person = somebody();
    await invite(doorOf('invited'), person);
    const others = WAYS.filter(({ provesAddress }) => !provesAddress);
    for (const way of others) expect((await enter(doorOf('invited'), person, way)).status).not.toBe(200);
    expect((await enter(doorOf('invited'), { ...person, email: `x${person.email}` })).status).toBe(401);
  });

  it('does not come in once the invitation was revoked or has expired', async () => {
    const [revoked, expired] = [somebody(), somebody()];
    const first = await invite(doorOf('invited'), revoked, { name: { first_name: 'Ada' } });
    await fromServer(doorOf('invited'), '/magic_links/email/revoke_invite', { email: revoked.email });
    const second = await invite(doorOf('invited'), expired, { invite_expiration_minutes: 5 });
    provider.clock.time += 6 * MINUTE;
    for (const [person, { open }] of [
      [revoked, first],
      [expired, second],
    ] as const) {
      expect((await open(doorOf('invited'))).status).toBe(401);
      expect((await enter(doorOf('invited'), person)).status).toBe(401);
      expect((await provider.newest(person.email))?.link).toBeUndefined();
    }
    expect((await invite(doorOf('invited'), expired)).reply.status).toBe(200);
    expect((await enter(doorOf('invited'), expired)).status).toBe(200);
  });

  it('is not let in by an invitation while sign-up is closed, and no invitation is sent then', async () => {
    const person = somebody();
    const { open } = await invite(doorOf('invited'), person, { name: { first_name: 'Ada' } });
    const begun = await LINK.begin(doorOf('invited'), person);
    for (const finish of [open, begun]) {
      const { status, body } = await finish(doorOf('closed'));
      expect([status, body['error_type']]).toEqual([403, 'sign_up_refused']);
    }
    expect((await enter(doorOf('closed'), person)).status).toBe(401);
    for (const who of [person, somebody()]) {
      const again = await invite(doorOf('closed'), who);
      expect([again.reply.status, again.reply.body['error_type']]).toEqual([403, 'sign_up_refused']);
    }
    // A refusal uses nothing up.
    expect((await open(doorOf('invited'))).status).toBe(200);
  });

  it.each(['invited', 'closed'] as const)(
    'comes in if the server made or an operator imported them while it was %s',
    async (policy) => {
      const door = doorOf(policy);
      const [made, migrated, imported] = [somebody(), somebody(), somebody()];
      expect((await fromServer(door, '/users', { email: made.email })).status).toBe(200);
      const hash = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
      const migration = { email: migrated.email, hash, hash_type: 'bcrypt', set_email_verified: true };
      expect((await fromServer(door, '/passwords/migrate', migration)).status).toBe(200);
      const by = { name: 'Grace', address: null, request_id: null };
      await importUser(door.services, { emails: [{ email: imported.email }] }, by);
      for (const person of [made, migrated, imported]) expect((await enter(door, person)).status).toBe(200);
    },
  );

  it('is pending for longer than the door is closed', async () => {
    const person = somebody();
    const body = { email: person.email, create_user_as_pending: true };
    expect((await fromServer(doorOf('closed'), '/users', body)).status).toBe(200);
    expect((await enter(doorOf('closed'), person)).status).toBe(401);
    expect((await enter(doorOf('invited'), person)).status).toBe(200);
  });

  it('comes in by a link that the server delivers itself, although they are pending', async () => {
    const [person, door] = [somebody(), doorOf('closed')];
    const body = { email: person.email, create_user_as_pending: true };
    const { user_id } = (await fromServer(door, '/users', body)).body as { user_id: string };
    const { token } = (await fromServer(door, '/magic_links', { user_id })).body as { token: string };
    expect((await door.post('/magic_links/authenticate', { token, ...MINUTES })).status).toBe(200);
    expect((await enter(door, person)).status).toBe(200);
  });

  it('of many logins at once by one invitation is one user', async () => {
    const person = somebody();
    const { reply, open } = await invite(doorOf('invited'), person);
    const door = doorOf('invited');
    const begun = await Promise.all(PROVING.map((way) => way.begin(door, person)));
    const replies = await Promise.all([open, ...begun].map((finish) => finish(door)));
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    const entered = replies.filter(({ status }) => status === 200).map(({ data }) => data['user_id'] as string);
    expect(new Set(entered)).toEqual(new Set([reply.body['user_id']]));
  });

  it('adds what every user adds, whatever the policy is', async () => {
    const { data } = await enter(doorOf('open'), somebody());
    for (const policy of ['invited', 'closed'] as const) {
      const door = doorOf(policy);
      const session = String(
        (await provider.signIn((data['user'] as { emails: [{ email: string }] }).emails[0].email))['session_token'],
      );
      const ways = WAYS_IN.filter((make) => make !== app).map((make) => make(door));
      const last = await plantAll(session, ways);
      expect(await isAlive(door, last)).toBe(true);
      const entered = await Promise.all(ways.map((way) => way.enter()));
      expect(entered).toEqual(ways.map(() => data['user_id'] as string));
    }
  });

  it('takes an address over that a stranger waits with, as before', async () => {
    const stranger = somebody();
    await LINK.begin(doorOf('open'), stranger);
    const { data } = await enter(doorOf('open'), somebody());
    const door = doorOf('closed');
    const session = String(data['session_token']);
    const sent = await door.post('/otps/email/send/secondary', { email: stranger.email }, { session });
    const code = (await provider.newest(stranger.email))?.code;
    const body = { token: code, method_id: sent.data['method_id'] as string, ...MINUTES };
    const added = await door.post('/otps/authenticate', body, { session });
    expect([added.status, added.data['user_id']]).toEqual([200, data['user_id']]);
  });
});
