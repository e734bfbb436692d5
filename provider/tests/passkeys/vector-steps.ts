import { attestationFrom } from '#provider/accounts/passkeys/credential.ts';
import { verifyAttestation } from '#provider/accounts/passkeys/verify.ts';
import type { AuthenticatorMetadata } from '#provider/accounts/authenticators/metadata.ts';
import type { PasskeySettings } from '#provider/project/settings/passkeys.ts';
import { cases } from './attestation-vectors.json' with { type: 'json' };

export type Vector = (typeof cases)[number];

/** All certificates of the vectors are valid then. */
export const VECTORS_NOW = Date.UTC(2026, 5, 1);

/** What the library judges more strictly than the standard: a maker of TPMs that TCG does not list, and U2F with an AAGUID. */
export const FICTIONAL: ReadonlySet<string> = new Set(
  cases.filter(({ name }) => name.startsWith('W3C: TPM') || name.startsWith('W3C: FIDO U2F')).map(({ name }) => name),
);

/** Registers the credential of a vector. */
export function registerVector(
  vector: Pick<Vector, 'id' | 'clientDataJSON' | 'attestationObject' | 'challenge' | 'domain' | 'origin'>,
  settings: PasskeySettings,
  metadata: AuthenticatorMetadata | undefined,
) {
  const { id, clientDataJSON, attestationObject, challenge, domain, origin } = vector;
  const response = { clientDataJSON, attestationObject };
  return verifyAttestation(
    attestationFrom(JSON.stringify({ id, rawId: id, type: 'public-key', response })),
    { challenge, domain, mayUse: (given) => given === origin, userVerification: false, userPresence: true },
    { settings, metadata, now: VECTORS_NOW },
  );
}
