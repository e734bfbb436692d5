import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/application/api/index.ts';
import type { Endpoint } from '../../../src/application/api/endpoint.ts';
import { backendApi } from '../../../src/application/backend-api/backend-api.ts';
import { eventOf, UNRECORDED } from '../../src/audit/events.ts';
import { sweep } from '../../src/retention/sweep.ts';
import { DATABASES, makeProvider, otherThan, type Fields, type Provider } from '../kit/harness.ts';

const DAY = 24 * 60 * 60_000;

it('every call of both APIs that changes something has an event, or a reason for none', () => {
  const endpoints = [api, backendApi].flatMap((table) =>
    Object.values(table).flatMap((area) => Object.values(area as Readonly<Record<string, Endpoint>>)),
  );
  const without = new Set(Object.values(UNRECORDED).flatMap((names) => names.split(/\s+/u)));
  const changing = endpoints.filter(({ method }) => method !== 'GET').map(({ name }) => name);
  expect(changing.filter((name) => (eventOf(name) === null) !== without.has(name))).toEqual([]);
  expect([...without].filter((name) => !changing.includes(name))).toEqual([]);
});

describe.each(DATABASES)('the audit log, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeProvider(url);
  });
  afterAll(() => provider.close());
  const rows = async (): Promise<readonly Fields[]> =>
    provider.services.db.selectFrom('audit_log').selectAll().orderBy('seq').execute();
  const last = async (): Promise<Fields> => (await rows()).at(-1) ?? {};

  it('has who logged in and how, and no address', async () => {
    const { user_id, session } = await provider.signIn('ada@example.com');
    const row = await last();
    expect(row).toMatchObject({
      event: 'login',
      outcome: 'ok',
      user_id,
      actor_kind: 'user',
      actor_id: user_id,
      method: 'otp:email',
      details: { session_id: session.session_id },
      request_id: expect.stringMatching(/^request-id-/u),
    });
    expect(JSON.stringify(await rows())).not.toContain('ada@');
  });

  it('has refused codes, up to a number in an hour', async () => {
    const before = (await rows()).length;
    for (let index = 0; index < 25; index += 1) {
      const { code, method_id } = await provider.sendCode(`guess-${index}@example.com`);
      const body = { token: otherThan(code), method_id, session_duration_minutes: 60 };
      expect((await provider.post('/otps/authenticate', body)).status).toBe(404);
    }
    const added = (await rows()).slice(before);
    expect(added).toHaveLength(20);
    expect(new Set(added.map(({ outcome }) => outcome))).toEqual(new Set(['refused']));
    expect(added[0]).toMatchObject({ event: 'login', details: { error_type: 'otp_code_not_found' } });
    provider.clock.time += 61 * 60_000;
  });

  it('cannot be changed or emptied, and loses only what is old by the clock of the database', async () => {
    const { db } = provider.services;
    for (const statement of [
      `update audit_log set user_id = 'nobody'`,
      `delete from audit_log`,
      `truncate audit_log`,
      `truncate audit_log, emails cascade`,
    ]) {
      await expect(sql.raw(statement).execute(db)).rejects.toThrow(/append-only/u);
    }
    const old = (outcome: string, days: number) =>
      ({ event: 'login', outcome, actor_kind: 'user', created_at: new Date(Date.now() - days * DAY) }) as never;
    await db
      .insertInto('audit_log')
      .values([old('ok', 366), old('ok', 364), old('refused', 31), old('refused', 29)])
      .execute();
    const before = (await rows()).length;
    await sweep(provider.services);
    expect(await rows()).toHaveLength(before - 2);
  });
});
