import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const UNKNOWN = { status_code: 404, error_type: 'm2m_client_not_found' };

describe.each(EITHER_DATABASE)('M2M clients on %s', (_, database) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await startBackend(database);
  });
  afterAll(() => backend.close());

  const clients = () => backend.client.m2m.clients;
  const make = async (fields: Fields = {}) =>
    (await clients().create({ scopes: ['read:users', 'write:users'], ...fields })).m2m_client;
  const tokenOf = async ({ client_id, client_secret }: { client_id: string; client_secret: string }) =>
    backend.client.m2m.token({ client_id, client_secret });

  it('are made with an id and a secret, which is shown once and stored as a hash', async () => {
    const made = await make({ client_name: 'Reports', trusted_metadata: { tier: 'gold' } });
    expect(made).toEqual({
      client_id: expect.stringMatching(/^m2m-client-test-/u),
      client_secret: expect.stringMatching(/^[\w-]{43}$/u),
      client_secret_last_four: made.client_secret.slice(-4),
      client_name: 'Reports',
      client_description: '',
      status: 'active',
      scopes: ['read:users', 'write:users'],
      trusted_metadata: { tier: 'gold' },
    });
    const { client_secret, ...shown } = made;
    const got = await clients().get({ client_id: made.client_id });
    expect(got.m2m_client).toEqual(shown);
    const rows = await backend.provider.services.db.selectFrom('m2m_clients').selectAll().execute();
    const trail = await backend.provider.services.db.selectFrom('backend_calls').selectAll().execute();
    expect(JSON.stringify([rows, trail, backend.provider.logged])).not.toContain(client_secret);
  });

  soakIt('accept a chosen secret that cannot be guessed, and refuse other fields by name', async () => {
    const chosen = { client_id: 'reports.v2', client_secret: 'tR4-qz_Vp9!mK2wLx7' };
    const made = await make(chosen);
    expect(made).toMatchObject({ ...chosen, client_secret_last_four: 'wLx7' });
    expect(await backend.client.m2m.token(chosen)).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(await refusalOf(make(chosen))).toMatchObject({ status_code: 400, error_type: 'duplicate_client_id' });
    for (const client_secret of ['password1234', 'aaaaaaaaaaaaaaaa', 'qwertyuiop']) {
      expect(await refusalOf(make({ client_secret }))).toMatchObject({ error_type: 'weak_client_secret' });
    }
    const wrong: [Fields, string][] = [
      [{ client_secret: 'short' }, 'client_secret'],
      [{ client_secret: 'with a space in it, and long' }, 'client_secret'],
      [{ client_id: 'user-test-1' }, 'client_id'],
      [{ client_id: '..' }, 'client_id'],
      [{ client_id: 'a/b' }, 'client_id'],
      [{ scopes: ['two words'] }, 'scopes[0]'],
      [{ scopes: 'read' }, 'scopes'],
      [{ client_name: 'x'.repeat(121) }, 'client_name'],
    ];
    for (const [fields, field] of wrong) {
      const refused = await refusalOf(make(fields));
      expect(refused).toMatchObject({ status_code: 400, error_type: 'bad_request' });
      expect(Object.keys(refused['error_details'])).toEqual([field]);
    }
    const metadata = await refusalOf(make({ trusted_metadata: { much: 'x'.repeat(5000) } }));
    expect(metadata).toMatchObject({ error_type: 'invalid_metadata' });
  });

  it('change what is given, and keep the rest', async () => {
    const { client_id } = await make({ client_name: 'Old', trusted_metadata: { a: 1, b: 2 } });
    const change = {
      client_id,
      client_description: 'New',
      scopes: ['x', 'x', 'y'],
      trusted_metadata: { a: null, c: 3 },
    };
    const { m2m_client } = await clients().update(change);
    expect(m2m_client).toMatchObject({ client_name: 'Old', client_description: 'New', scopes: ['x', 'y'] });
    expect(m2m_client.trusted_metadata).toEqual({ b: 2, c: 3 });
    const gone = await refusalOf(clients().update({ client_id, status: 'gone', client_name: 'Newer' }));
    expect(gone).toMatchObject({ error_type: 'bad_request', error_details: { status: expect.any(String) } });
    expect((await clients().get({ client_id })).m2m_client.client_name).toBe('Old');
  });

  it('are searched page by page, by id, name and scope', async () => {
    const ids = ['page-1', 'page-2', 'page-3'];
    for (const client_id of ids) await make({ client_id, client_name: 'paged', scopes: ['paging', client_id] });
    const query = { operator: 'AND', operands: [{ filter_name: 'client_name' as const, filter_value: ['paged'] }] };
    const first = await clients().search({ query, limit: 2 });
    expect(first.m2m_clients.map(({ client_id }) => client_id)).toEqual(['page-1', 'page-2']);
    expect(first.results_metadata).toEqual({ total: 3, next_cursor: expect.any(String) });
    const cursor = String(first.results_metadata.next_cursor);
    const second = await clients().search({ query, limit: 2, cursor });
    expect(second.m2m_clients.map(({ client_id }) => client_id)).toEqual(['page-3']);
    expect(second.results_metadata).toEqual({ total: 3, next_cursor: null });

    const found = async (operator: string, ...operands: Parameters<typeof operandOf>[]) => {
      const asked = { operator, operands: operands.map((each) => operandOf(...each)) };
      return (await clients().search({ query: asked })).m2m_clients.map(({ client_id }) => client_id);
    };
    expect(await found('AND', ['scopes', 'paging'], ['client_id', 'page-1', 'page-2'])).toEqual(['page-1', 'page-2']);
    expect(await found('AND', ['scopes', 'page-1'], ['client_id', 'page-2'])).toEqual([]);
    expect(await found('OR', ['scopes', 'page-1'], ['client_id', 'page-2'])).toEqual(['page-1', 'page-2']);
    expect(await found('OR', ['scopes', "') or true --"])).toEqual([]);
    expect(await found('AND', ['client_id'])).toEqual([]);
    expect((await clients().search({})).results_metadata.total).toBeGreaterThan(3);

    const wrong: Fields[] = [
      { limit: 0 },
      { limit: 1001 },
      { limit: 1.5 },
      { cursor: 'x' },
      { cursor: '\u0000' },
      { query: { operator: 'XOR' } },
      { query: { operator: 'AND', operands: [{ filter_name: 'secret_hash', filter_value: ['x'] }] } },
    ];
    for (const fields of wrong) {
      expect(await refusalOf(clients().search(fields))).toMatchObject({ status_code: 400, error_type: 'bad_request' });
    }
  });

  it('change their secret in two steps, between which both are valid', async () => {
    const client = await make();
    const { client_id, client_secret: old } = client;
    const works = (client_secret: string) =>
      tokenOf({ client_id, client_secret }).then(
        () => true,
        () => false,
      );
    const { secrets } = clients();
    for (const step of [secrets.rotate.bind(secrets), secrets.rotateCancel.bind(secrets)]) {
      expect(await refusalOf(step({ client_id }))).toMatchObject({ error_type: 'secret_rotation_not_started' });
    }
    const { m2m_client: started } = await secrets.rotateStart({ client_id });
    const next = started.next_client_secret;
    expect(started).toMatchObject({
      client_secret_last_four: old.slice(-4),
      next_client_secret_last_four: next.slice(-4),
    });
    expect([await works(old), await works(next)]).toEqual([true, true]);
    const shown = (await clients().get({ client_id })).m2m_client;
    expect(shown).not.toHaveProperty('next_client_secret');
    expect(shown.next_client_secret_last_four).toBe(next.slice(-4));
    expect(await refusalOf(secrets.rotateStart({ client_id }))).toMatchObject({
      error_type: 'secret_rotation_already_started',
    });

    const { m2m_client: cancelled } = await secrets.rotateCancel({ client_id });
    expect(cancelled).not.toHaveProperty('next_client_secret_last_four');
    expect([await works(old), await works(next)]).toEqual([true, false]);

    const newest = (await secrets.rotateStart({ client_id })).m2m_client.next_client_secret;
    const { m2m_client: rotated } = await secrets.rotate({ client_id });
    expect(rotated.client_secret_last_four).toBe(newest.slice(-4));
    expect([await works(old), await works(next), await works(newest)]).toEqual([false, false, true]);
    expect(await refusalOf(secrets.rotateStart({ client_id: 'nobody' }))).toMatchObject(UNKNOWN);
  });

  it('are rotated by one of many callers at once', async () => {
    const { client_id } = await make();
    const { secrets } = clients();
    const both = async <T>(step: () => Promise<T>) => {
      const ends = await Promise.allSettled(Array.from({ length: 5 }, step));
      return ends.filter((end) => end.status === 'fulfilled').map(({ value }) => value);
    };
    const [started, ...others] = await both(() => secrets.rotateStart({ client_id }));
    expect(others).toEqual([]);
    expect(await both(() => secrets.rotate({ client_id }))).toHaveLength(1);
    const client_secret = started?.m2m_client.next_client_secret ?? '';
    await tokenOf({ client_id, client_secret });
    const made = await both(() => make({ client_id: 'made-at-once' }));
    expect(made).toHaveLength(1);
  });
});

function operandOf(filter_name: 'client_id' | 'client_name' | 'scopes', ...filter_value: string[]) {
  return { filter_name, filter_value };
}
