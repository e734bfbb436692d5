import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLog } from '#provider/base/log/log.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { servicesOf, settingsOf, type Settings } from '#provider/operation/server/settings.ts';
import { SettingsReload } from '#provider/operation/server/settings-reload.ts';
import { pemOf } from '../kit/certificates.ts';
import { EITHER_DATABASE, type Fields, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { entryOf, MetadataAuthority } from '../kit/metadata-authority.ts';

const PAGE = 'https://shop.example';
const NOW = Date.UTC(2030, 0, 1);
const AAGUID = 'ee882879-721c-4913-9775-3dfcce97072a';
const FILES = { metadata_file: 'mds.jwt', metadata_roots_file: 'roots.pem' };
const authority = new MetadataAuthority();
const blob = (more: object = {}) => authority.blob([entryOf(AAGUID, [])], more);

const folder = mkdtempSync(join(tmpdir(), 'portico-metadata-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const options = optionsFrom(['--project', join(folder, 'portico.jsonc'), '--data', 'memory'], {});
const project = (passkeys: Fields) =>
  put(
    'portico.jsonc',
    JSON.stringify({
      public_token: PUBLIC_TOKEN,
      origins: [PAGE],
      redirect_urls: [`${PAGE}/`],
      default_login_redirect_url: `${PAGE}/`,
      default_signup_redirect_url: `${PAGE}/`,
      passkeys,
    }),
  );
const read = (passkeys: Fields, metadata = blob(), roots = pemOf(authority.root)): Settings => {
  project(passkeys);
  put('mds.jwt', metadata);
  put('roots.pem', roots);
  return settingsOf(options, NOW);
};

describe('the metadata file of a project', () => {
  it('is read beside the project file, and its models are those of the server', () => {
    const settings = read(FILES);
    expect(settings.metadata?.no).toBe(7);
    const clock = { now: () => NOW };
    const { services } = servicesOf(settings, { clock, realClock: clock, warn: () => undefined });
    expect(services.authenticatorMetadata?.modelOf(AAGUID, undefined)).toBeDefined();
    expect(read({}).metadata).toBeUndefined();
  });

  it.each<[string, Fields, string?, string?]>([
    ['passkeys.metadata_file names', { ...FILES, metadata_file: 'absent.jwt' }],
    ['passkeys.metadata_roots_file names', { ...FILES, metadata_roots_file: 'absent.pem' }],
    ['which passkeys.metadata_roots_file names, must contain certificates in PEM', FILES, blob(), 'no certificate'],
    ['which passkeys.metadata_file names, must be a signed BLOB', FILES, '{}'],
    ['which passkeys.metadata_file names, is out of date', FILES, blob({ nextUpdate: '2029-12-31' })],
    ['which passkeys.metadata_file names, must be signed by the FIDO Alliance', { metadata_file: 'mds.jwt' }],
    [
      'passkeys.aaguids[0] must be a model of',
      { ...FILES, attestation: 'direct', require_attestation: true, aaguids: [AAGUID.replace('e', 'a')] },
    ],
  ])('stops the start with "%s"', (message, passkeys, metadata, roots) => {
    expect(() => read(passkeys, metadata, roots)).toThrow(message);
  });
});

describe.each(EITHER_DATABASE)('a reload of the metadata file, on %s', (_, url) => {
  const provider = suiteProvider(url);

  it('adopts a newer one, and refuses an older one of the same signer', async () => {
    const numbers: (number | undefined)[] = [];
    const lines: string[] = [];
    const log = createLog({ level: 'info', format: 'text' }, (line) => lines.push(line));
    const first = read(FILES);
    const reloading = new SettingsReload({ ...provider.services, log }, first, {
      file: join(folder, 'portico.jsonc'),
      read: () => settingsOf(options, NOW),
      prepare:
        ({ metadata }) =>
        () =>
          Promise.resolve(void numbers.push(metadata?.no)),
    });
    for (const no of [7, 9, 8, 9, 10]) {
      put('mds.jwt', blob({ no }));
      await reloading.reload();
    }
    await reloading.stop();
    expect(numbers).toEqual([9, 10]);
    const refused = lines.filter((line) => line.includes('was not reloaded'));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain('passkeys.metadata_file is number 8, older than number 9, which is in use');
    const rows = provider.services.db.selectFrom('audit_log').select('details');
    const records = await rows.where('event', '=', 'settings_reloaded').orderBy('seq').execute();
    expect(records.map(({ details }) => details)).toEqual([{ fields: ['passkeys'] }, { fields: ['passkeys'] }]);
  });
});
