import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const URL_TEXT = 'https://collector.example.com/audit';

describe('the audit stream of a project file', () => {
  const settingsOf = (audit_stream: unknown) => projectFrom({ audit_stream }).audit_stream;

  it('is absent, a file, or an address with a signature, a header or both', () => {
    expect(projectFrom({}).audit_stream).toBeNull();
    expect(settingsOf(null)).toBeNull();
    expect(settingsOf({ file: '/var/log/portico/audit.jsonl' })).toEqual({ file: '/var/log/portico/audit.jsonl' });
    const defaults = { url: URL_TEXT, secret: null, authorization: null, private: false };
    expect(settingsOf({ url: URL_TEXT, secret: SECRET })).toEqual({ ...defaults, secret: SECRET });
    const inside = { url: 'http://10.0.0.7:8080/', authorization: 'Bearer x', private: true };
    expect(settingsOf(inside)).toEqual({ ...defaults, ...inside });
  });

  it('reads its secrets from files and variables', () => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-audit-'));
    const file = join(folder, 'authorization');
    writeFileSync(file, 'Splunk 1234\n');
    expect(settingsOf({ url: URL_TEXT, authorization: { file } })).toMatchObject({ authorization: 'Splunk 1234' });
    rmSync(folder, { recursive: true });
  });

  it.each([
    [[], 'audit_stream must be an object'],
    [{}, 'audit_stream.url must be given, or file instead of it'],
    [{ file: '/a', url: URL_TEXT }, 'audit_stream.url must be left out: there is no such field'],
    [{ file: 'audit.jsonl' }, 'audit_stream.file must be the absolute path of a file'],
    [{ url: URL_TEXT }, 'audit_stream.secret must be given, or authorization, or both'],
    [{ url: URL_TEXT, secret: 'hunter2' }, 'audit_stream.secret must be whsec_ and 24 to 64 bytes in base64'],
    [{ url: URL_TEXT, authorization: 'a\nb' }, 'audit_stream.authorization must be the value of a header'],
    [{ url: 'ftp://hunter2/', secret: SECRET }, 'audit_stream.url must be an http or https URL'],
    [{ url: 'https://me:hunter2@a.example/', secret: SECRET }, 'audit_stream.url must be an http or https URL'],
    [
      { url: 'http://hunter2.example.com/', secret: SECRET },
      'audit_stream.url must be https at a public address, unless private is true',
    ],
    [
      { url: 'https://169.254.169.254/', secret: SECRET },
      'audit_stream.url must be https at a public address, unless private is true',
    ],
    [{ url: URL_TEXT, secret: SECRET, private: 'yes' }, 'audit_stream.private must be a boolean'],
  ])('is refused by the name of the field, without its value: %j', (given, message) => {
    expect(() => settingsOf(given)).toThrow(message);
    expect(() => settingsOf(given)).not.toThrow(/hunter2|whsec_\w{30}/u);
  });
});
