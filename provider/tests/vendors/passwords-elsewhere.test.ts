import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { withProject } from '../kit/other-project.ts';
import { makeTarget, MINUTES, uniqueEmail } from '../attacks/attacker.ts';
import { exportFolder } from './export-files.ts';
import { importCommand } from './import-command.ts';

const PASSWORD = 'tumbling-lanterns-over-quiet-water-41';
const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1wYXNzd29yZC1jaGVjaw==';
const SUB = 'a1b2c3d4-5678-90ab-cdef-000000000001';

const file = exportFolder();

describe.each(EITHER_DATABASE)('an import from a product that exports no hashes, on %s', (_, url) => {
  let host: DocumentHost;
  let provider: Provider;
  beforeAll(async () => {
    host = await documentHost();
    provider = await makeTarget(url);
  });
  afterAll(async () => {
    await Promise.all([provider.close(), host.close()]);
  });

  function poolOf(email: string): string {
    const attributes = { sub: SUB, email, email_verified: 'true' };
    const Attributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
    const user = { Username: email, Attributes, Enabled: true, UserStatus: 'CONFIRMED' };
    return file('users.json', JSON.stringify({ Users: [user] }));
  }

  it('keeps the passwords if the project names an address that checks them', async () => {
    const claims: Fields[] = [];
    const address = host.answer('/check', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const claim = JSON.parse(Buffer.concat(chunks).toString()) as Fields;
        claims.push(claim);
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ correct: claim['password'] === PASSWORD }));
      });
    });
    const door = withProject(provider, { password_check: { url: address, secret: [SECRET], timeout_seconds: 20 } }, {});
    const email = uniqueEmail('pool');
    const fields = { file: poolOf(email), from: 'cognito' };
    const command = importCommand(door);
    const { lines } = await command({ ...fields, dry_run: true });
    expect(lines.join('\n')).toContain('keeps address and password (the old system checks it once)');
    expect((await command(fields)).lines.at(-1)).toMatch(/^1 imported/u);
    const logIn = async (password: string) =>
      (await door.post('/passwords/authenticate', { email, password, ...MINUTES })).status;
    expect([await logIn('another one'), await logIn(PASSWORD), await logIn(PASSWORD)]).toEqual([401, 200, 200]);
    expect(claims.map(({ external_id, password }) => [external_id, password])).toEqual([
      [SUB, 'another one'],
      [SUB, PASSWORD],
    ]);
  });

  it('loses them otherwise, and says so', async () => {
    const email = uniqueEmail('pool');
    const { lines } = await importCommand(provider)({ file: poolOf(email), from: 'cognito', dry_run: true });
    expect(lines.join('\n')).toContain('loses password (Cognito exports no hashes)');
  });
});
