import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { DatabaseUnavailable } from '#provider/base/db/database-errors.ts';
import type { Db } from '#provider/base/db/database.ts';
import { basic, EITHER_DATABASE, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

describe.each(EITHER_DATABASE)('a short outage of the database, on %s', (_, url) => {
  const provider = suiteProvider(url);

  /** A database in which only the table of the keys cannot be read. */
  const withoutKeys = (db: Db): Db =>
    new Proxy(db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          if (given[0] === 'signing_keys') throw new DatabaseUnavailable('away');
          return value.apply(target, given) as unknown;
        };
      },
    });

  it('a JWT that cannot be checked is not called invalid, so no user is signed out', async () => {
    const { session_jwt } = await provider.signIn('ada@example.com');
    // Past the lifetime of the process's cached keys.
    provider.clock.time += 10_000;
    const headers = { authorization: basic(PUBLIC_TOKEN, String(session_jwt)) };
    const app = createApp({ ...provider.services, db: withoutKeys(provider.services.db) });
    const away = await app.request('/sdk/v1/users/me', { headers });
    expect(away.status).toBe(503);
    expect(away.headers.get('retry-after')).not.toBeNull();
    expect((await provider.app.request('/sdk/v1/users/me', { headers })).status).toBe(200);
  });
});
