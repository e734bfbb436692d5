import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ANY_PASSKEY, type PasskeySettings } from '#provider/project/settings/passkeys.ts';
import { certify, base64Of } from '../kit/certificates.ts';
import { entryOf, MetadataAuthority } from '../kit/metadata-authority.ts';
import { cases } from './attestation-vectors.json' with { type: 'json' };
import { FICTIONAL, registerVector, VECTORS_NOW as NOW, type Vector } from './vector-steps.ts';

const REQUIRED: PasskeySettings = { ...ANY_PASSKEY, attestation: 'direct', require_attestation: true };
const authority = new MetadataAuthority();
const entryFor = ({ aaguid, anchor, key, name }: Vector) => entryOf(aaguid, [anchor], { name, key });
const metadata = authority.metadata(
  cases.map((vector) => entryFor(vector)),
  NOW,
);

const NOTHING = authority.metadata([], NOW);

/** Registers the credential of a vector. */
const register = (
  vector: Parameters<typeof registerVector>[0],
  settings = REQUIRED,
  models: ReturnType<MetadataAuthority['metadata']> = metadata,
) => registerVector(vector, settings, models);

const OF_ANOTHER_KEY = 'fido2-lib: TPM, ECC, of another key';
const SELF = 'W3C: ES256 Credential with Self Attestation';
const proven = cases.filter(({ name }) => !FICTIONAL.has(name) && name !== OF_ANOTHER_KEY && name !== SELF);
const refused = (reason: string) => ({ type: 'webauthn_verification_failed', details: { reason } });

describe('published vectors of attestation', () => {
  // The library reads the time of the machine.
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
  afterAll(() => void vi.useRealTimers());

  it('are of every format that a metadata file can prove', () => {
    const formats = new Set(proven.map(({ format }) => format));
    expect([...formats].sort()).toEqual(['android-key', 'apple', 'fido-u2f', 'packed', 'tpm']);
  });

  it.each(proven)('$name is proven by the metadata file', async (vector) => {
    const { name, format, aaguid } = vector;
    expect(await register(vector)).toMatchObject({ attestation_format: format, attested: true, model: name, aaguid });
  });

  it.each(proven)('$name proves nothing where another certificate stands for its model', async (vector) => {
    const other = base64Of(certify({ CN: 'Other' }, { ca: true }));
    const models = authority.metadata([entryFor({ ...vector, anchor: other })], NOW);
    await expect(register(vector, REQUIRED, models)).rejects.toMatchObject(refused('attestation_untrusted'));
    await expect(register(vector, REQUIRED, NOTHING)).rejects.toMatchObject(refused('attestation_required'));
    // Its model is unknown, and nothing has to be proven.
    const direct: PasskeySettings = { ...ANY_PASSKEY, attestation: 'direct' };
    expect(await register(vector, direct, NOTHING)).toMatchObject({ attested: false, model: null });
  });

  it.each(proven)(
    '$name is refused after a change of any part, also where nothing has to be proven',
    async (vector) => {
      const bytes = Buffer.from(vector.attestationObject, 'base64url');
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
      const client = `${Buffer.from(vector.clientDataJSON, 'base64url').toString()} `;
      const changes: readonly Partial<Vector>[] = [
        { attestationObject: bytes.toString('base64url') },
        { clientDataJSON: Buffer.from(client).toString('base64url') },
      ];
      for (const change of changes) {
        for (const settings of [REQUIRED, ANY_PASSKEY]) {
          const attempt = register({ ...vector, ...change }, settings);
          await expect(attempt).rejects.toMatchObject({ type: 'webauthn_verification_failed' });
        }
      }
    },
  );

  it.each([SELF])('%s is accepted where nothing has to be proven, and refused elsewhere', async (name) => {
    const vector = cases.find((each) => each.name === name);
    if (vector === undefined) throw new Error('there is no such vector');
    expect(await register(vector, ANY_PASSKEY)).toMatchObject({ attestation_format: 'packed', attested: false });
    await expect(register(vector)).rejects.toMatchObject(refused('attestation_required'));
  });

  it.each([...FICTIONAL, OF_ANOTHER_KEY])('%s is refused', async (name) => {
    const vector = cases.find((each) => each.name === name);
    if (vector === undefined) throw new Error('there is no such vector');
    await expect(register(vector, ANY_PASSKEY)).rejects.toMatchObject({ type: 'webauthn_verification_failed' });
  });
});
