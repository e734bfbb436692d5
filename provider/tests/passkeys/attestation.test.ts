import { describe, expect, it } from 'vitest';
import { ANY_PASSKEY, type PasskeySettings } from '#provider/project/settings/passkeys.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { claiming, Maker, safetyNet, selfAttesting } from '../kit/attesting-authenticator.ts';
import { base64Of } from '../kit/certificates.ts';
import { EITHER_DATABASE, type Fields, WITHOUT_PKCE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { entryOf, MetadataAuthority } from '../kit/metadata-authority.ts';
import { passkeySteps } from '../kit/passkey-steps.ts';
import { SoftwareAuthenticator, type Attester } from '../kit/webauthn-authenticator.ts';

const KNOWN = 'aaaaaaaa-0000-4000-8000-000000000001';
const ANOTHER = 'aaaaaaaa-0000-4000-8000-000000000002';
const REVOKED = 'aaaaaaaa-0000-4000-8000-000000000003';
const UNKNOWN = 'aaaaaaaa-0000-4000-8000-000000000004';
const FOREIGN = 'aaaaaaaa-0000-4000-8000-000000000005';
const maker = new Maker();
const anchors = [base64Of(maker.root)];
const metadata = new MetadataAuthority().metadata([
  entryOf(KNOWN, anchors, { name: 'The known key', statuses: ['FIDO_CERTIFIED_L2'] }),
  entryOf(ANOTHER, anchors, { name: 'Another key' }),
  entryOf(REVOKED, anchors, { name: 'A lost key', statuses: ['FIDO_CERTIFIED_L3', 'REVOKED', 'UPDATE_AVAILABLE'] }),
  entryOf(FOREIGN, [base64Of(new Maker().root)], { name: 'A key of another maker' }),
]);
const REQUIRED: PasskeySettings = { ...ANY_PASSKEY, attestation: 'direct', require_attestation: true };

describe.each(EITHER_DATABASE)('attestation of passkeys, on %s', (_, url) => {
  const project = { ...DEMO_PROJECT, ...WITHOUT_PKCE };
  /** The settings in use from now on. */
  const adopt = (passkeys: PasskeySettings) => void Object.assign(project, { passkeys });
  const provider = suiteProvider(url, { project, authenticatorMetadata: metadata });

  const { signIn, creation, register, request, authenticate } = passkeySteps(() => provider);
  const add = async (passkeys: PasskeySettings, attester?: Attester) => {
    adopt(passkeys);
    const { session_token } = await signIn();
    const key = new SoftwareAuthenticator(undefined, attester);
    const reply = await register(key.create(await creation(session_token)), session_token);
    const login = async () => authenticate(key.get(await request()));
    return { reply, login, passkey: reply.data['user']?.webauthn_registrations[0] as Fields | undefined };
  };
  const reasonOf = async (passkeys: PasskeySettings, attester?: Attester) => {
    const { reply } = await add(passkeys, attester);
    expect(reply.body).toMatchObject({ status_code: 400, error_type: 'webauthn_verification_failed' });
    return (reply.body['error_details'] as Fields | undefined)?.['reason'] as unknown;
  };

  it.each(['none', 'indirect', 'direct', 'enterprise'] as const)('is requested as %s', async (attestation) => {
    adopt({ ...ANY_PASSKEY, attestation });
    expect((await creation((await signIn()).session_token))['attestation']).toBe(attestation);
  });

  it('proves the model of a new passkey, and names it', async () => {
    const { reply, passkey, login } = await add(REQUIRED, maker.packed(KNOWN));
    expect([reply.status, passkey]).toMatchObject([200, { attested: true, model: 'The known key', aaguid: KNOWN }]);
    expect(passkey?.['name']).toBe('The known key');
    const stored = await provider.services.db
      .selectFrom('webauthn_registrations')
      .select(['attestation_format', 'attested', 'model'])
      .where('webauthn_registration_id', '=', String(reply.data['webauthn_registration_id']))
      .executeTakeFirstOrThrow();
    expect(stored).toEqual({ attestation_format: 'packed', attested: true, model: 'The known key' });
    expect((await login()).status).toBe(200);
    const phone = await add(REQUIRED, maker.androidKey(KNOWN));
    expect(phone.passkey).toMatchObject({ attested: true, model: 'The known key' });
  });

  it.each([
    ['without a statement', claiming(KNOWN), 'attestation_required'],
    ['without a model', undefined, 'attestation_required'],
    ['that attests itself', selfAttesting(KNOWN), 'attestation_required'],
    ['of an unknown model', maker.packed(UNKNOWN), 'attestation_required'],
    ['with the certificate of another maker', maker.packed(FOREIGN), 'attestation_untrusted'],
    ['of a revoked model', maker.packed(REVOKED), 'model_compromised'],
    ['with a statement of SafetyNet', safetyNet(KNOWN), 'attestation_format'],
  ])('is required, and an authenticator %s is refused', async (__, attester, reason) => {
    expect(await reasonOf(REQUIRED, attester)).toBe(reason);
  });

  it('accepts the listed models alone', async () => {
    const listed = { ...REQUIRED, aaguids: [ANOTHER] };
    expect(await reasonOf(listed, maker.packed(KNOWN))).toBe('model_not_accepted');
    expect((await add(listed, maker.packed(ANOTHER))).reply.status).toBe(200);
  });

  it('accepts models with the lowest certification or a higher one', async () => {
    const second = { ...REQUIRED, lowest_certification: 'FIDO_CERTIFIED_L1plus' } as const;
    expect(await reasonOf(second, maker.packed(ANOTHER))).toBe('certification_too_low');
    expect((await add(second, maker.packed(KNOWN))).reply.status).toBe(200);
  });

  it.each([
    ['without a statement', claiming(KNOWN), false, 'The known key'],
    ['that attests itself', selfAttesting(KNOWN), false, 'The known key'],
    ['of an unknown model', maker.packed(UNKNOWN), false, null],
    ['of a known model', maker.packed(KNOWN), true, 'The known key'],
  ])('is not required, and an authenticator %s is accepted', async (__, attester, attested, model) => {
    const { reply, passkey } = await add({ ...ANY_PASSKEY, attestation: 'direct' }, attester);
    expect([reply.status, passkey]).toMatchObject([200, { attested, model }]);
  });

  it('is not required, and a revoked model and a false proof are refused nevertheless', async () => {
    expect(await reasonOf(ANY_PASSKEY, claiming(REVOKED))).toBe('model_compromised');
    expect(await reasonOf({ ...ANY_PASSKEY, attestation: 'direct' }, maker.packed(FOREIGN))).toBe(
      'attestation_untrusted',
    );
  });

  it('is not judged where none was requested', async () => {
    for (const attester of [maker.packed(KNOWN), maker.packed(FOREIGN)]) {
      expect((await add(ANY_PASSKEY, attester)).passkey).toMatchObject({ attested: false });
    }
  });

  it('leaves the passkeys that were there before it was required', async () => {
    const { login } = await add(ANY_PASSKEY);
    adopt(REQUIRED);
    expect((await login()).status).toBe(200);
  });
});
