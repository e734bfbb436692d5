import { BehaviorSubject, map } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { reportUserDetails } from '#application/use-cases/passkeys/user-details.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';
import { TestWorld } from './world.ts';

const NAME = { first_name: 'Ada', last_name: 'Lovelace' };
const ADA = { name: 'ada@example.com', displayName: 'ada@example.com' };
const LOVELACE = { ...ADA, displayName: 'Ada Lovelace' };

/** A client, a user who has made a passkey in its browser, and what both know of it. */
async function withPasskey(options: { readonly override_id?: string } = {}) {
  const world = new TestWorld();
  const { client } = world.open();
  const { user, session } = await world.signIn(client);
  await client.webauthn.register({ is_passkey: true, ...options });
  return { world, client, user: client.user.getSync() ?? user, session };
}

describe('the names that a passkey provider shows (WebAuthn Level 3, section 5.1.10.3)', () => {
  it('follow a change of the user’s name', async () => {
    const { world, client } = await withPasskey();
    expect(world.authenticator.names).toEqual([ADA]);
    await client.user.update({ name: NAME });
    await vi.waitFor(() => expect(world.authenticator.names).toEqual([LOVELACE]));
  });

  it('stay as they are where the host chose its own id of the user', async () => {
    const { world, client } = await withPasskey({ override_id: 'crm-17' });
    await client.user.update({ name: NAME });
    await vi.dynamicImportSettled();
    expect(world.authenticator.names).toEqual([ADA]);
  });
});

type Snapshot = { readonly user: User; readonly session: Session } | { readonly user: null; readonly session: null };

const SIGNED_OUT: Snapshot = { user: null, session: null };

/** The reports of a page that begins with one snapshot and goes through others. */
async function reportsOf(first: Snapshot, ...later: readonly Snapshot[]) {
  const now$ = new BehaviorSubject<Snapshot>(first);
  const reports: (readonly [string, string, string])[] = [];
  reportUserDetails(
    {
      user$: now$.pipe(map(({ user }) => user)),
      state: () => ({ ...now$.value, fromCache: false }),
      mayBeSignedIn: () => now$.value.session !== null,
    },
    {
      async signalDetails(domain, userId, { name, displayName }) {
        reports.push([domain, atob(userId), `${name}, ${displayName}`]);
        throw new Error('The code could not be loaded.');
      },
    },
  );
  for (const each of later) {
    now$.next(each);
    // The code of the report is here by then, with the session as it is now.
    // oxlint-disable-next-line no-await-in-loop -- one state after the other
    await vi.dynamicImportSettled();
  }
  return reports;
}

describe('a report of the user’s names', () => {
  it('is made after each login, for every domain of a passkey', async () => {
    const { user, session } = await withPasskey();
    const [passkey] = user.webauthn_registrations;
    const abroad = [passkey!, { ...passkey!, domain: 'shop.example' }, passkey!];
    const signedIn = { user: { ...user, webauthn_registrations: abroad }, session };
    const told = [passkey!.domain, 'shop.example'].map((domain) => [
      domain,
      user.user_id,
      'ada@example.com, ada@example.com',
    ]);
    expect(await reportsOf(SIGNED_OUT, signedIn)).toEqual(told);
    expect(await reportsOf(SIGNED_OUT, signedIn, SIGNED_OUT, signedIn)).toEqual([...told, ...told]);
  });

  it('is made when an address changes, and not for another change of the user', async () => {
    const { user, session } = await withPasskey();
    const emails = [{ ...user.emails[0]!, email: 'ada@new.example' }];
    const other = { ...user, untrusted_metadata: { theme: 'dark' } };
    const reports = await reportsOf(
      { user, session },
      { user: other, session },
      { user: { ...user, emails }, session },
    );
    expect(reports.map(([, , names]) => names)).toEqual(['ada@new.example, ada@new.example']);
  });

  it('is not made for the session that a page finds at its start, nor for a user without a passkey', async () => {
    const { user, session } = await withPasskey();
    expect(await reportsOf({ user, session }, { user: { ...user }, session })).toEqual([]);
    expect(await reportsOf(SIGNED_OUT, { user: { ...user, webauthn_registrations: [] }, session })).toEqual([]);
  });

  it('is not made in the browser of an impersonator', async () => {
    const { user, session } = await withPasskey();
    const factor = { ...session.authentication_factors[0]!, type: 'impersonated' };
    const theirs = { user, session: { ...session, authentication_factors: [factor] } };
    expect(await reportsOf(SIGNED_OUT, theirs, { ...theirs, user: { ...user, name: NAME } })).toEqual([]);
  });

  it('is made of a user whose lists the server leaves out', async () => {
    const { user, session } = await withPasskey();
    const { user_id, webauthn_registrations } = user;
    const bare = { user_id, webauthn_registrations } as unknown as User;
    expect((await reportsOf(SIGNED_OUT, { user: bare, session })).map(([, , names]) => names)).toEqual([
      `${user_id}, ${user_id}`,
    ]);
  });
});
