import { MetadataService, SettingsService, type MetadataStatement } from '@simplewebauthn/server';

/**
 * Any model: the statement of an attestation is verified without the path of its certificates, which `attestation.ts` judges. The
 * library would fetch the lists of revoked certificates whose addresses stand in them, and whoever registers chooses these.
 */
const ANY_MODEL: MetadataStatement = {
  description: 'any model',
  authenticatorVersion: 0,
  protocolFamily: 'fido2',
  schema: 3,
  upv: [],
  authenticationAlgorithms: [
    'ed25519_eddsa_sha512_raw',
    'secp256r1_ecdsa_sha256_raw',
    'secp384r1_ecdsa_sha384_raw',
    'secp512r1_ecdsa_sha256_raw',
    'rsassa_pkcsv15_sha256_raw',
  ],
  publicKeyAlgAndEncodings: [],
  attestationTypes: ['basic_full'],
  userVerificationDetails: [],
  keyProtection: [],
  matcherProtection: [],
  tcDisplay: [],
  attestationRootCertificates: [],
};

/** Makes the library verify statements of attestation without their paths, and without the network. */
export function verifyStatementsOffline(): void {
  MetadataService.getStatement = () => Promise.resolve(ANY_MODEL);
  for (const identifier of ['android-key', 'apple', 'fido-u2f', 'packed', 'tpm'] as const) {
    SettingsService.setRootCertificates({ identifier, certificates: [] });
  }
}
