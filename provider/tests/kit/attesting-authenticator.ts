import { sign } from 'node:crypto';
import { certify, der, extension, integer, octets, sequence, type Holder } from './certificates.ts';
import type { Attester } from './webauthn-authenticator.ts';

/** The subject of a certificate of attestation (WebAuthn Level 3, section 8.2.1). */
export const MAKER = { C: 'NL', O: 'A maker', OU: 'Authenticator Attestation', CN: 'A model' };

/** A maker of authenticators, whose root issues the certificates of attestation. */
export class Maker {
  readonly root: Holder;
  private readonly extensions: readonly Buffer[];

  constructor({ extensions = [] }: { readonly extensions?: readonly Buffer[] } = {}) {
    this.extensions = extensions;
    this.root = certify({ O: 'A maker', CN: 'Root' }, { ca: true, extensions });
  }

  /** A model that attests with a certificate of this maker (section 8.2). */
  packed(aaguid: string): Attester {
    const holder = certify(MAKER, { by: this.root, extensions: this.extensions });
    return {
      aaguid,
      attest: ({ authData, clientDataHash }) => [
        'packed',
        new Map<string, unknown>([
          ['alg', -7],
          ['sig', sign('sha256', Buffer.concat([authData, clientDataHash]), holder.privateKey)],
          ['x5c', [holder.der]],
        ]),
      ],
    };
  }

  /** A phone: the certificate of attestation is that of the new key (section 8.4). */
  androidKey(aaguid: string): Attester {
    return {
      aaguid,
      attest: ({ authData, clientDataHash, pair }) => {
        const level = der(10, Buffer.of(1));
        const challenge = octets(clientDataHash);
        const unique = octets(Buffer.alloc(0));
        const description = sequence(integer(4), level, integer(4), level, challenge, unique, sequence(), sequence());
        const extensions = [...this.extensions, extension('1.3.6.1.4.1.11129.2.1.17', description)];
        const holder = certify({ CN: 'A phone' }, { by: this.root, pair, extensions });
        return [
          'android-key',
          new Map<string, unknown>([
            ['alg', -7],
            ['sig', sign('sha256', Buffer.concat([authData, clientDataHash]), pair.privateKey)],
            ['x5c', [holder.der, this.root.der]],
          ]),
        ];
      },
    };
  }
}

/** An authenticator that signs with the new key alone, and claims a model (section 8.2, self attestation). */
export const selfAttesting = (aaguid: string): Attester => ({
  aaguid,
  attest: ({ authData, clientDataHash, pair }) => [
    'packed',
    new Map<string, unknown>([
      ['alg', -7],
      ['sig', sign('sha256', Buffer.concat([authData, clientDataHash]), pair.privateKey)],
    ]),
  ],
});

/** An authenticator that claims a model without a statement. */
export const claiming = (aaguid: string): Attester => ({ aaguid, attest: () => ['none', new Map()] });

/** The format of a service that has ended. */
export const safetyNet = (aaguid: string): Attester => ({
  aaguid,
  attest: () => [
    'android-safetynet',
    new Map<string, unknown>([
      ['ver', '1'],
      ['response', Buffer.from('e30.e30.e30')],
    ]),
  ],
});
