import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { metadataFrom } from '#provider/accounts/authenticators/metadata.ts';
import { certify, ofHost, signedBlob } from '../kit/certificates.ts';
import { entryOf, keyIdentifierOf, MetadataAuthority } from '../kit/metadata-authority.ts';

const NOW = Date.UTC(2030, 0, 1);
const AAGUID = 'ee882879-721c-4913-9775-3dfcce97072a';
const authority = new MetadataAuthority();
const roots = [new X509Certificate(authority.root.der)];
const read = (blob: string, now = NOW) => metadataFrom(blob, { roots, now });
const entries = [entryOf(AAGUID, [], { name: 'A security key' })];
/** Changes a character in one part of the JWT, and leaves it base64url. */
const changed = (blob: string, part: 0 | 1 | 2): string =>
  blob
    .split('.')
    .map((text, index) => (index === part ? text.replace(/.{4}$/u, (end) => (end === 'AAAA' ? 'BBBB' : 'AAAA')) : text))
    .join('.');

describe('a BLOB of the FIDO Metadata Service 3.0', () => {
  it('is read with its number, its end and its models', () => {
    const { no, outdatedAt, modelOf } = read(authority.blob(entries));
    expect([no, outdatedAt]).toEqual([7, Date.UTC(2099, 0, 1)]);
    expect(modelOf(AAGUID, undefined)).toMatchObject({ name: 'A security key', compromise: null });
    expect(modelOf('00000000-0000-0000-0000-000000000001', undefined)).toBeUndefined();
  });

  it('names a model of U2F by the key of its certificate', () => {
    const certificate = certify({ CN: 'U2F' });
    const models = read(authority.blob([entryOf(null, [], { name: 'U2F', key: keyIdentifierOf(certificate) })]));
    expect(models.modelOf(null, new X509Certificate(certificate.der))?.name).toBe('U2F');
    expect(models.modelOf(null, new X509Certificate(certify({ CN: 'U2F' }).der))).toBeUndefined();
    expect(models.modelOf(null, undefined)).toBeUndefined();
  });

  it('gives the highest certification that is effective', () => {
    const report = (status: string, effectiveDate: string) => ({ status, effectiveDate });
    const levels = [
      report('FIDO_CERTIFIED', '2020-01-01'),
      report('FIDO_CERTIFIED_L2', '2025-01-01'),
      report('FIDO_CERTIFIED_L3plus', '2031-01-01'),
    ];
    const model = read(authority.blob([{ aaguid: AAGUID, statusReports: levels }])).modelOf(AAGUID, undefined);
    const at = (year: number) => model?.certificationAt(Date.UTC(year, 5));
    expect([at(2019), at(2021), at(2026), at(2032)]).toEqual([-1, 0, 2, 5]);
  });

  it.each([
    ['no JWT', 'hello', 'must be a signed BLOB, a JWT'],
    ['an unsigned JWT', authority.blob(entries).replace(/[^.]*$/u, ''), 'must be a signed BLOB, a JWT'],
    ['a changed payload', changed(authority.blob(entries), 1), 'has a signature that is not that of its signer'],
    ['a changed signature', changed(authority.blob(entries), 2), 'has a signature that is not that of its signer'],
    ['the algorithm none', authority.blob(entries, {}, { alg: 'none' }), 'must be signed by RS256 or ES256'],
    ['a shared key', authority.blob(entries, {}, { alg: 'HS256' }), 'must be signed by RS256 or ES256'],
    ['an algorithm of another key', authority.blob(entries, {}, { alg: 'RS256' }), 'must be signed by RS256 or ES256'],
    ['no certificates', authority.blob(entries, {}, { x5c: [] }), 'must have the certificates of its signer in x5c'],
    ['no number', authority.blob(entries, { no: '7' }), 'must have a whole number as no'],
    ['no end', authority.blob(entries, { nextUpdate: 'soon' }), 'must have a nextUpdate such as 2026-11-26'],
    ['no entries', authority.blob(entries, { entries: {} }), 'must have a list of entries'],
    [
      'a past end',
      authority.blob(entries, { nextUpdate: '2029-12-31' }),
      'is out of date: its next update was due on 2029-12-31',
    ],
    [
      'the signature of a stranger',
      new MetadataAuthority().blob(entries),
      'must be signed with certificates of metadata_roots_file that are valid now',
    ],
  ])('with %s is refused', (_, blob, message) => {
    expect(() => read(blob)).toThrow(message);
  });

  it('is good until the end of the day of its next update', () => {
    const blob = authority.blob(entries, { nextUpdate: '2030-01-01' });
    expect(read(blob, Date.UTC(2030, 0, 2) - 1).no).toBe(7);
    expect(() => read(blob, Date.UTC(2030, 0, 2))).toThrow('is out of date');
  });

  it.each([
    ['expired', { until: '20291231000000Z' }],
    ['not valid yet', { from: '20300102000000Z' }],
  ])('is refused while the certificate of its signer is %s', (_, validity) => {
    const signer = certify({ CN: 'Signer' }, { by: authority.root, ...validity });
    const blob = signedBlob([signer], { no: 1, nextUpdate: '2098-12-31', entries });
    expect(() => read(blob)).toThrow('that are valid now');
  });

  it('is refused where a certificate that may issue none stands between its signer and the root', () => {
    const between = certify({ CN: 'No authority' }, { by: authority.root });
    const signer = certify({ CN: 'Signer' }, { by: between });
    const blob = signedBlob([signer, between], { no: 1, nextUpdate: '2098-12-31', entries });
    expect(() => read(blob)).toThrow('must be signed with certificates');
    const authorized = certify({ CN: 'An authority' }, { by: authority.root, ca: true });
    const signedByIt = certify({ CN: 'Signer' }, { by: authorized });
    expect(read(signedBlob([signedByIt, authorized], { no: 1, nextUpdate: '2098-12-31', entries })).no).toBe(1);
  });

  it.each([
    ['without the name of the FIDO Alliance', new MetadataAuthority()],
    [
      'with the name of the FIDO Alliance from another authority',
      new MetadataAuthority([ofHost('mds.fidoalliance.org')]),
    ],
  ])('%s is not the FIDO Alliance’s', (_, other) => {
    const must = 'must be signed by the FIDO Alliance, with certificates that are valid now';
    expect(() => metadataFrom(other.blob(entries), { roots: null, now: NOW })).toThrow(must);
  });
});
