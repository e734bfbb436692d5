import { describe, expect, it } from 'vitest';
import { ANY_PASSKEY } from '#provider/project/settings/passkeys.ts';
import { projectFrom } from '#provider/project/settings/project.ts';

const AAGUID = 'ee882879-721c-4913-9775-3dfcce97072a';
const passkeysOf = (passkeys: unknown) => projectFrom({ passkeys }).passkeys;
const REQUIRED = { attestation: 'direct', require_attestation: true, metadata_file: 'mds.jwt' };

describe('passkeys of a project file', () => {
  it('are any by default', () => {
    expect(projectFrom({}).passkeys).toEqual(ANY_PASSKEY);
    expect(passkeysOf({ metadata_file: 'mds.jwt' })).toEqual({ ...ANY_PASSKEY, metadata_file: 'mds.jwt' });
  });

  it('can be of proven models alone', () => {
    const given = { ...REQUIRED, aaguids: [AAGUID], lowest_certification: 'FIDO_CERTIFIED_L2' };
    expect(passkeysOf(given)).toEqual({ ...ANY_PASSKEY, ...given });
  });

  it.each([
    [{ attestation: 'always' }, 'passkeys.attestation must be one of none, indirect, direct, enterprise'],
    [{ ...REQUIRED, attestation: 'none' }, 'passkeys.attestation must be indirect, direct or enterprise'],
    [{ require_attestation: 'yes' }, 'passkeys.require_attestation must be a boolean'],
    [{ ...REQUIRED, metadata_file: null }, 'passkeys.metadata_file must be given if require_attestation is true'],
    [{ metadata_roots_file: 'a.pem' }, 'passkeys.metadata_file must be given if metadata_roots_file is there'],
    [
      { attestation: 'direct', aaguids: [AAGUID] },
      'passkeys.aaguids must be left out unless require_attestation is true',
    ],
    [
      { lowest_certification: 'FIDO_CERTIFIED_L1' },
      'passkeys.lowest_certification must be left out unless require_attestation is true',
    ],
    [
      { ...REQUIRED, lowest_certification: 'REVOKED' },
      'passkeys.lowest_certification must be one of FIDO_CERTIFIED_L1,',
    ],
    [{ ...REQUIRED, aaguids: [] }, 'passkeys.aaguids must be left out, or not empty'],
    [{ ...REQUIRED, aaguids: [AAGUID.toUpperCase()] }, 'passkeys.aaguids[0] must be an AAGUID in lower case'],
    [{ roots: [] }, 'passkeys.roots must be left out: there is no such field'],
  ])('cannot be %j', (given, message) => {
    expect(() => passkeysOf(given)).toThrow(message);
  });
});
