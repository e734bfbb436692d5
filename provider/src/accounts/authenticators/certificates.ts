import { X509Certificate } from 'node:crypto';

/** Chains of attestation and of metadata have two or three certificates. */
const MAX_CHAIN = 8;

function isValidAt({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

const isSame = (one: X509Certificate, other: X509Certificate): boolean => one.raw.equals(other.raw);

/**
 * Whether the chain leads to a trust anchor (RFC 5280, section 6.1): every certificate is valid and issued by the next, until one is an
 * anchor or issued by one. An anchor may be the first certificate itself (FIDO Metadata Statement 3.0, `attestationRootCertificates`).
 * Nothing is fetched, so revocation lists are not checked.
 *
 * @param chain the certificate to judge, then its issuers
 * @param now in milliseconds since 1970
 */
export function leadsTo(anchors: readonly X509Certificate[], chain: readonly X509Certificate[], now: number): boolean {
  const valid = anchors.filter((anchor) => isValidAt(anchor, now));
  let issued: X509Certificate | undefined;
  for (const certificate of chain.slice(0, MAX_CHAIN)) {
    if (!isValidAt(certificate, now)) return false;
    if (issued !== undefined && !(certificate.ca && isIssuedBy(issued, certificate))) return false;
    if (valid.some((anchor) => isSame(anchor, certificate))) return true;
    if (valid.some((anchor) => anchor.ca && isIssuedBy(certificate, anchor))) return true;
    issued = certificate;
  }
  return false;
}

/** The certificate in DER or in base64 of DER; undefined for anything else. */
export function certificateFrom(der: Uint8Array | string): X509Certificate | undefined {
  try {
    return new X509Certificate(typeof der === 'string' ? Buffer.from(der, 'base64') : der);
  } catch {
    return undefined;
  }
}
