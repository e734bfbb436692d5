import { describe, expect, it } from 'vitest';
import { cookieOf } from '../kit/operators-browser.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { HOSTILE, pageSteps } from './page-steps.ts';

const ICLOUD = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd';
const UNKNOWN = 'aaaaaaaa-0000-4000-8000-000000000001';

describe.each(EITHER_DATABASE)("the operators' page of a user, on %s", (_, database) => {
  const world = pageSteps(database);

  it.each([
    [
      'the model that was proven',
      { aaguid: UNKNOWN, model: 'A key', attested: true },
      'localhost, A key, proven by attestation',
    ],
    ['the model that is claimed', { aaguid: UNKNOWN, model: 'A key', attested: false }, 'localhost, A key<'],
    ['the known name of an AAGUID', { aaguid: ICLOUD, model: null, attested: false }, 'localhost, iCloud Keychain<'],
    ['an unknown AAGUID', { aaguid: UNKNOWN, model: null, attested: null }, `localhost, ${UNKNOWN}<`],
    ['no model', { aaguid: null, model: null, attested: false }, 'localhost<'],
    [
      'the text of a hostile model',
      { aaguid: UNKNOWN, model: HOSTILE, attested: true },
      'localhost, &quot;&gt;&lt;script&gt;',
    ],
  ])('shows of a passkey %s', async (__, passkey, shown) => {
    const { db } = world.provider.services;
    const name = `Passkey ${shown.length}`;
    await db
      .insertInto('webauthn_registrations')
      .values({
        ...passkey,
        webauthn_registration_id: `webauthn-registration-test-${shown.length}`,
        user_id: world.user_id,
        domain: 'localhost',
        credential_id: `credential-${shown.length}`,
        public_key: 'k',
        user_handle: 'h',
        sign_count: 0,
        backup_eligible: false,
        transports: '[]',
        user_agent: '',
        authenticator_type: 'platform',
        name,
        created_at: new Date(world.provider.clock.now()),
      })
      .execute();
    const { reply } = await world.enrolled(`Operator ${shown.length}`);
    const { text } = await world.get(`users/${world.user_id}`, cookieOf(reply));
    expect(text.slice(text.indexOf(name))).toContain(shown);
  });

  it('shows the address that was entered at a sign-up with a passkey alone, as not proven', async () => {
    const { db } = world.provider.services;
    const entered = { unproven_email: 'entered@example.com', unproven_in: 'session-test-1' };
    await db.updateTable('users').set(entered).where('user_id', '=', world.user_id).execute();
    const { reply } = await world.enrolled('Operator of sign-ups');
    const { text } = await world.get(`users/${world.user_id}`, cookieOf(reply));
    expect(text).toMatch(/Entered address<[^]*entered@example\.com<[^]*not proven</u);
  });
});
