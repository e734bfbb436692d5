import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';

export const ADA = 'ada@example.com';
/** Good enough for the server in memory. */
export const GOOD = 'Correct horse 1';
export const ALONE: LoginConfig = { products: ['passwords'] };
export const WITH_LINK: LoginConfig = { products: ['passwords', 'emailMagicLinks'] };
export const WITH_CODE: LoginConfig = { products: ['passwords', 'otp'], otpOptions: { methods: ['email'] } };

/** A world in which the address belongs to somebody who logs in by a password, or by codes alone. */
export async function worldWith(kind: 'password' | 'passwordless', password = GOOD): Promise<TestWorld> {
  const world = new TestWorld();
  const { client } = world.open();
  if (kind === 'password') await client.passwords.create({ email: ADA, password, session_duration_minutes: 30 });
  else await world.signIn(client, ADA);
  await client.session.revoke();
  client.destroy();
  return world;
}

/** A login widget at which the address was entered, and what came of it. */
export async function entered(config: LoginConfig, world = new TestWorld()) {
  const opened = openLogin(config, { world });
  opened.store.send({ type: 'password/emailEntered', email: ADA });
  await world.settle();
  return opened;
}
