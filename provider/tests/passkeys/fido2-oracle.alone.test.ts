import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { statementOf } from '#provider/accounts/passkeys/attestation.ts';
import { ANY_PASSKEY, type PasskeySettings } from '#provider/project/settings/passkeys.ts';
import { pythonWithFido2 } from '#scripts/lib/programs.ts';
import { SOAK } from '#tests/soak.ts';
import { entryOf, MetadataAuthority } from '../kit/metadata-authority.ts';
import { cases } from './attestation-vectors.json' with { type: 'json' };
import { FICTIONAL, registerVector, VECTORS_NOW, type Vector } from './vector-steps.ts';

const PYTHON = SOAK ? pythonWithFido2() : undefined;
/** Every so many bytes of an attestation object one bit is changed. */
const EVERY = 11;

const REQUIRED: PasskeySettings = { ...ANY_PASSKEY, attestation: 'direct', require_attestation: true };
const METADATA = new MetadataAuthority().metadata(
  cases.map(({ aaguid, anchor, key, name }) => entryOf(aaguid, [anchor], { name, key })),
  VECTORS_NOW,
);

type Case = Pick<Vector, 'name' | 'id' | 'clientDataJSON' | 'attestationObject' | 'challenge' | 'domain' | 'origin'>;

/** The verdicts of Debian's python3-fido2: `accepted`, `unsupported`, or `refused` with the error. */
function foreignVerdicts(judged: readonly Case[]): readonly string[] {
  const script = fileURLToPath(new URL('fido2_verdicts.py', import.meta.url));
  const input = judged.map((each) => `${JSON.stringify(each)}\n`).join('');
  const { stdout, stderr } = spawnSync(PYTHON ?? '', [script], { input, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string);
}

async function isAccepted(judged: Case, settings: PasskeySettings): Promise<boolean> {
  try {
    await registerVector(judged, settings, settings === REQUIRED ? METADATA : undefined);
    return true;
  } catch {
    return false;
  }
}

interface Variant extends Case {
  /** Whether the changed bit is in a certificate, which only the certificate of a maker can prove. */
  readonly isInCertificate: boolean;
}

/** The vector with one changed bit, many times. */
function variantsOf(vector: Vector): readonly Variant[] {
  const whole = Buffer.from(vector.attestationObject, 'base64url');
  const certificates = statementOf(whole).chain.map(({ raw }) => [whole.indexOf(raw), raw.length] as const);
  return Array.from({ length: Math.ceil(whole.length / EVERY) }, (_, index) => {
    const bytes = Buffer.from(whole);
    const at = index * EVERY;
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (index % 8)), at);
    return {
      ...vector,
      name: `${vector.name}, byte ${at}`,
      attestationObject: bytes.toString('base64url'),
      isInCertificate: certificates.some(([start, length]) => at >= start && at < start + length),
    };
  });
}

// The library of Debian 13 (0.9.1) has no format of Android keys: those are judged by the other tests of the vectors alone.
describe.runIf(PYTHON !== undefined)('attestations that python3-fido2 judges, too', () => {
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: VECTORS_NOW }));
  afterAll(() => void vi.useRealTimers());

  it('are accepted by both or refused by both, but for what this provider judges more strictly', async () => {
    const verdicts = foreignVerdicts(cases);
    const different: string[] = [];
    for (const [index, each] of cases.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const accepted = await isAccepted(each, ANY_PASSKEY);
      const verdict = verdicts[index];
      if (verdict !== 'unsupported' && accepted !== (verdict === 'accepted')) different.push(each.name);
    }
    const stricter = [...FICTIONAL].filter((name) => name.startsWith('W3C: FIDO U2F'));
    expect(different).toEqual(stricter);
    expect(new Set(cases.flatMap(({ format }, index) => (verdicts[index] === 'accepted' ? format : [])))).toEqual(
      new Set(['packed', 'apple', 'fido-u2f', 'tpm']),
    );
  });

  it('are not accepted after a change that the library refuses; in a certificate, where the model must be proven', async () => {
    const judged = cases.flatMap((vector) => variantsOf(vector));
    const verdicts = foreignVerdicts(judged);
    const refused = judged.filter((_, index) => verdicts[index]?.startsWith('refused'));
    const laxer: string[] = [];
    for (const each of refused) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      if (await isAccepted(each, each.isInCertificate ? REQUIRED : ANY_PASSKEY)) laxer.push(each.name);
    }
    expect(refused.length).toBeGreaterThan(500);
    expect(laxer).toEqual([]);
  });
});

it.skipIf(PYTHON !== undefined)(
  'attestations are compared with python3-fido2 with SOAK=1, where that package of Debian is installed',
  ({ skip }) => skip(),
);
