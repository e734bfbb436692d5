/** Checks of a client whose storage is damaged. */
import { expect } from 'vitest';
import type { PorticoClient } from '#composition/client.ts';
import { isSession } from '#domain/sessions/session.ts';
import { isUser } from '#domain/users/user.ts';
import type { FakeTab } from '#kit/fake-world.ts';
import type { TestWorld } from './world.ts';

export const D = { session_duration_minutes: 60 };

export const CYCLE_MS = 180_000;

/** Throws what is not as it must be after any damage: all or nothing, and both halves valid. */
export function expectSound(client: PorticoClient, tab: Pick<FakeTab, 'storage' | 'cookies'>): void {
  const session = client.session.getSync();
  const user = client.user.getSync();
  expect(session === null).toBe(user === null);
  if (session !== null) expect([isSession(session), isUser(user)]).toEqual([true, true]);
  // Never an intermediate session beside a session.
  expect(
    tab.cookies.get('stytch_intermediate_session_token') !== null && tab.cookies.get('stytch_session') !== null,
  ).toBe(false);
}

/** A login works, whatever was there before. */
export async function expectLogin(world: TestWorld, client: PorticoClient): Promise<void> {
  const { session } = await world.signIn(client, 'next@example.com');
  expect(client.session.getSync()?.session_id).toBe(session.session_id);
  expect(client.session.getTokens()).not.toBeNull();
}

export async function expectLinkLogin(world: TestWorld, client: PorticoClient): Promise<void> {
  await client.magicLinks.email.loginOrCreate('link@example.com');
  await client.magicLinks.authenticate(world.server.inbox[0]?.token ?? '', D);
  expect(client.user.getSync()?.emails[0]?.email).toBe('link@example.com');
}
