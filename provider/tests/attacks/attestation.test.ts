import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_PASSKEY } from '#provider/project/settings/passkeys.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { Maker } from '../kit/attesting-authenticator.ts';
import { base64Of, revokedAt } from '../kit/certificates.ts';
import { EITHER_DATABASE, makeProvider, WITHOUT_PKCE, type Provider } from '../kit/harness.ts';
import { entryOf, MetadataAuthority } from '../kit/metadata-authority.ts';
import { passkeySteps } from '../kit/passkey-steps.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';

const KNOWN = 'aaaaaaaa-0000-4000-8000-000000000001';

describe.each(EITHER_DATABASE)('T213: certificates that name an address to be fetched, on %s', (_, url) => {
  const fetched: (string | undefined)[] = [];
  const project = { ...DEMO_PROJECT, ...WITHOUT_PKCE };
  let inside: Server;
  let maker: Maker;
  let provider: Provider;
  beforeAll(async () => {
    inside = createServer((request, reply) => {
      fetched.push(request.url);
      reply.end('a secret of the inner network');
    });
    await new Promise<void>((listening) => inside.listen(0, '127.0.0.1', listening));
    const { port } = inside.address() as AddressInfo;
    const extensions = [revokedAt(`http://127.0.0.1:${port}/latest/meta-data`)];
    maker = new Maker({ extensions });
    const authenticatorMetadata = new MetadataAuthority(extensions).metadata([
      entryOf(KNOWN, [base64Of(maker.root)], { name: 'The known key' }),
    ]);
    provider = await makeProvider(url, { project, authenticatorMetadata });
  });
  afterAll(async () => {
    await provider.close();
    await new Promise((closed) => inside.close(closed));
  });

  const { signIn, creation, register } = passkeySteps(() => provider);

  it.each([
    ['none', 'packed'],
    ['none', 'androidKey'],
    ['direct', 'packed'],
    ['direct', 'androidKey'],
  ] as const)('are not followed: attestation %s, a statement %s', async (attestation, kind) => {
    Object.assign(project, { passkeys: { ...ANY_PASSKEY, attestation } });
    const { session_token } = await signIn();
    const key = new SoftwareAuthenticator(undefined, maker[kind](KNOWN));
    const reply = await register(key.create(await creation(session_token)), session_token);
    expect(fetched).toEqual([]);
    expect(reply.data['user']?.webauthn_registrations).toMatchObject([{ attested: attestation === 'direct' }]);
  });
});
