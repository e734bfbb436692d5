import { describe, expect, it } from 'vitest';
import { otps } from '#application/api/index.ts';
import { accountWidget } from '#application/widget/widgets.ts';
import type { AccountChange, AccountPage } from '#domain/account/account.ts';
import { proofWays } from '#domain/account/proof-ways.ts';
import type { MfaFactor } from '#domain/sessions/mfa.ts';
import type { User } from '#domain/users/user.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { mfaWorld } from './mfa/mfa-world.ts';
import { openWidget } from './open-widget.ts';

const HOUR = { session_duration_minutes: 60 };
const NUMBER = '+14155550142';

/** The account page in a session that a trusted browser began, of a user whose second factor is a number. */
async function openWithNumber() {
  const world = mfaWorld({ factors: ['sms', 'webauthn'] });
  const { client } = world.open();
  await world.signIn(client);
  const { method_id } = await client.otps.sms.send(NUMBER);
  await client.otps.authenticate(world.server.codeFor(NUMBER) ?? '', method_id, HOUR);
  await client.session.revoke();
  const { mfa } = await world.signIn(client);
  const phone_id = mfa?.phone_numbers[0]?.phone_id ?? '';
  const sent = await client.mfa.sendCode({ phone_id, channel: 'sms' });
  const entered = world.server.codeFor(NUMBER) ?? '';
  await client.otps.authenticate(entered, sent.method_id, { ...HOUR, trust_device: true });
  await client.session.revoke();
  await world.signIn(client);
  const { store } = openWidget((services, options) => accountWidget(services, options), {}, { world });
  const page = (): AccountPage => store.getState().account as AccountPage;
  const until = async (done: () => boolean) => {
    for (let turn = 0; turn < 200 && !done(); turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      await world.settle();
    }
    expect(done()).toBe(true);
  };
  await until(() => page().at === 'resting');
  const ask = async (change: AccountChange) => {
    store.send({ type: 'account/asked', change });
    await until(() => page().at !== 'working');
  };
  return { world, store, page, until, ask, entered };
}

describe('A change of a user whose second factor is a number', () => {
  it('sends a code to it, and is made after the right one', async () => {
    const { world, store, page, until, ask, entered } = await openWithNumber();
    await ask({ kind: 'endOthers' });
    expect(page()).toMatchObject({ at: 'proving', way: 'text', error: null });
    await until(() => world.server.codeFor(NUMBER) !== entered);
    store.send({ type: 'account/proven', code: '000000' });
    await until(() => page().at === 'proving' && page().error !== null);
    store.send({ type: 'account/proven', code: world.server.codeFor(NUMBER) ?? '' });
    await until(() => page().at === 'resting');
    expect(page()).toMatchObject({ error: null, news: { what: 'othersEnded' } });
  });

  it('says in the form that no code could be sent', async () => {
    const { world, page, until, ask } = await openWithNumber();
    world.transport.answer(otps.smsSendSecondary, () => errorReply(429, 'too_many_requests'));
    await ask({ kind: 'endOthers' });
    await until(() => page().error !== null);
    expect(page()).toMatchObject({ at: 'proving', way: 'text', error: { error_type: 'too_many_requests' } });
  });
});

describe('The ways to prove the second factor on the account page', () => {
  const USER = { user_id: 'user-1', totps: [], webauthn_registrations: [], phone_numbers: [] } as unknown as User;
  const app = { ...USER, totps: [{ totp_id: 'totp-1', verified: true }] };
  const both = {
    ...USER,
    webauthn_registrations: [{ webauthn_registration_id: 'key-1' }],
    phone_numbers: [{ phone_id: 'phone-1', phone_number: NUMBER, verified: true }],
  } as unknown as User;
  it.each<readonly [string, User, readonly MfaFactor[] | null, readonly string[]]>([
    [
      'of an authenticator app are its codes, whatever else there is',
      { ...both, totps: app.totps },
      ['webauthn', 'totp'],
      ['totp', 'recovery'],
    ],
    ['are those of the app where logins need one factor', both, null, ['totp', 'recovery']],
    ['are a passkey and a text, as the project accepts them', both, ['webauthn', 'totp', 'sms'], ['webauthn', 'text']],
    ['are a text alone where passkeys do not count', both, ['totp', 'whatsapp'], ['text']],
    ['are no text to a number where texts do not count', both, ['webauthn', 'totp'], ['webauthn']],
  ])('%s', (_, user, accepted, ways) => {
    expect(proofWays(user, accepted)).toEqual(ways);
  });
});
