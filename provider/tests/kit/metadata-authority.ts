import { X509Certificate } from 'node:crypto';
import { metadataFrom } from '#provider/accounts/authenticators/metadata.ts';
import { certify, sha1, signedBlob, type Holder } from './certificates.ts';

/** An entry of a metadata file (FIDO Metadata Service 3.0, section 3.1.1). */
export interface MetadataEntry {
  readonly aaguid?: string | null;
  readonly attestationCertificateKeyIdentifiers?: readonly string[];
  readonly metadataStatement?: object;
  readonly statusReports?: readonly object[];
}

/** An entry for a model. `statuses` are effective since 2020. */
export const entryOf = (
  aaguid: string | null,
  anchors: readonly string[],
  { name = 'A model', statuses = ['FIDO_CERTIFIED_L1'], key }: EntryDetails = {},
): MetadataEntry => ({
  ...(aaguid === null ? {} : { aaguid }),
  ...(key === undefined ? {} : { attestationCertificateKeyIdentifiers: [key] }),
  metadataStatement: { description: name, attestationRootCertificates: anchors },
  statusReports: statuses.map((status) => ({ status, effectiveDate: '2020-01-01' })),
});

interface EntryDetails {
  readonly name?: string;
  readonly statuses?: readonly string[];
  /** SHA-1 of the key of its attestation certificate. */
  readonly key?: string | undefined;
}

/** An authority that publishes metadata files, as the FIDO Alliance does. */
export class MetadataAuthority {
  readonly root: Holder = certify({ O: 'Metadata', CN: 'Root' }, { ca: true });
  readonly signer: Holder;

  constructor(extensions: readonly Buffer[] = []) {
    this.signer = certify({ O: 'Metadata', CN: 'Signer' }, { by: this.root, extensions });
  }

  blob(entries: readonly unknown[], more: object = {}, header: object = {}): string {
    const payload = { legalHeader: 'For tests.', no: 7, nextUpdate: '2098-12-31', entries, ...more };
    return signedBlob([this.signer], payload, header);
  }

  /** The file as a server reads it. */
  metadata(entries: readonly MetadataEntry[], now = Date.UTC(2030, 0, 1)) {
    return metadataFrom(this.blob(entries), { roots: [new X509Certificate(this.root.der)], now });
  }
}

/** The identifier of the key of a certificate on P-256: SHA-1 of the point. */
export function keyIdentifierOf({ der }: Holder): string {
  const spki = new X509Certificate(der).publicKey.export({ type: 'spki', format: 'der' });
  return sha1(spki.subarray(-65));
}
