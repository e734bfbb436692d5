import { MetadataService, SettingsService, type MetadataStatement } from '@simplewebauthn/server';

/**
 * Any model: the library verifies the attestation statement but not its certificate chain, which `attestation.ts` judges. Otherwise the
 * library would fetch the revocation lists named in the certificates, and whoever registers chooses their addresses.
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

/** Makes the library verify attestation statements without their certificate chains, and without the network. */
export function verifyStatementsOffline(): void {
  MetadataService.getStatement = () => Promise.resolve(ANY_MODEL);
  for (const identifier of ['android-key', 'apple', 'fido-u2f', 'packed', 'tpm'] as const) {
    SettingsService.setRootCertificates({ identifier, certificates: [] });
  }
}
