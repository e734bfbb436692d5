/** The account page of a client, whose server is in memory. */
import { expect, vi } from 'vitest';
import { accountWidget } from '#application/widget/widgets.ts';
import type { AccountChange, AccountPage, AccountState } from '#domain/account/account.ts';
import { openWidget } from './open-widget.ts';
import { TestWorld } from './world.ts';

/** The account page in a page of the world's browser, with somebody signed in unless said otherwise. */
export async function open({ world = new TestWorld(), isSignedIn = true } = {}) {
  const { client } = world.open();
  if (isSignedIn) await world.signIn(client);
  const opened = openWidget((services, options) => accountWidget(services, options), {}, { world });
  const account = (): AccountState => opened.store.getState().account;
  const page = (): AccountPage => account() as AccountPage;
  const until = (done: () => boolean) =>
    vi.waitFor(
      async () => {
        await world.settle();
        expect(done()).toBe(true);
      },
      { interval: 1 },
    );
  await until(() => account().at !== 'arriving');
  const ask = async (change: AccountChange) => {
    opened.store.send({ type: 'account/asked', change });
    await until(() => !['working', 'checking'].includes(account().at));
  };
  const prove = async (code: string) => {
    opened.store.send({ type: 'account/proven', code });
    await until(() => !['working', 'checking'].includes(account().at));
  };
  const loaded = () => until(() => page().sessions.status !== 'loading' && page().apps.status !== 'loading');
  return { ...opened, client, account, page, until, ask, prove, loaded };
}

/** A session without the second factor, of a user who has an authenticator app. */
export async function withTotp() {
  const world = new TestWorld();
  const { client } = world.open();
  await world.signIn(client);
  const { secret, recovery_codes } = await client.totps.create({ expiration_minutes: 5 });
  await client.totps.authenticate({ totp_code: world.server.totpCode(secret), session_duration_minutes: 60 });
  await client.session.revoke();
  await world.clock.advance(30_000);
  return { ...(await open({ world })), recovery_codes, code: () => world.server.totpCode(secret) };
}
