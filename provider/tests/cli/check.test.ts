import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '#provider/operation/commands/run-command.ts';
import { ran } from '../kit/managing.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-check-'));
const shop = join(folder, 'shop');
const file = join(shop, 'portico.jsonc');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the command prints, with the error at the end. */
async function checked(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const lines: string[] = [];
  const end = await runCommand(['check', ...words], (line) => void lines.push(line), env).catch(
    (error: unknown) => `! ${error instanceof Error ? error.message : ''}`,
  );
  return [...lines, end];
}

describe('the command check', () => {
  beforeEach(async () => {
    rmSync(shop, { recursive: true, force: true });
    mkdirSync(join(shop, 'templates'), { recursive: true });
    await ran(['init', file, '--origin', 'https://shop.example', '--issuer', 'https://auth.shop.example'], {});
  });

  it('finds nothing in what init wrote, and leaves nothing', async () => {
    expect(await checked(['--project', file, '--data', join(shop, 'data')])).toEqual([
      `Nothing is wrong with ${file}.`,
    ]);
    expect(await checked([], { PORTICO_PROJECT: file })).toEqual([`Nothing is wrong with ${file}.`]);
    expect(await checked([shop])).toEqual([`Nothing is wrong with ${file}.`]);
    expect(readdirSync(shop).sort()).toEqual(['portico.jsonc', 'templates']);
  });

  it('names each wrong field with its line, and each wrong option', async () => {
    writeFileSync(
      file,
      '{\n  "nmae": "Shop",\n  "origins": ["https://shop.example/path"],\n  "link_max_minutes": 1,\n}\n',
    );
    const lines = await checked([
      '--project',
      file,
      '--trust-proxy',
      'x/y',
      '--database-url',
      'postgres://db.example/x',
    ]);
    expect(lines).toEqual([
      expect.stringMatching(
        /portico\.jsonc: in the project file, nmae must be left out: .* Did you mean name\? \(line 2\)$/u,
      ),
      expect.stringMatching(/portico\.jsonc: in the project file, origins\[0\] must be .* \(line 3\)$/u),
      expect.stringMatching(/portico\.jsonc: in the project file, link_max_minutes must be .* \(line 4\)$/u),
      expect.stringMatching(/portico\.jsonc: in the project file, redirect_urls must be of one page of yours or more/u),
      expect.stringMatching(/^--trust-proxy .* is wrong: /u),
      expect.stringMatching(/^--database-url needs a key /u),
      '! The server would not start: 6 wrong.',
    ]);
  });

  it('finds what a secret of another form, a wrong option and a wrong file would hide from each other', async () => {
    const text = readFileSync(file, 'utf8');
    const twilio = { gateway: 'twilio', account_sid: 'wrong', auth_token: 'token' };
    const webhook = { gateway: 'webhook', url: 'http://127.0.0.1/sms', secret: 'whsec_short' };
    const withDelivery = (delivery: object): void => writeFileSync(file, text.replace('"name"', `"delivery": ${JSON.stringify(delivery)}, "name"`)); // prettier-ignore
    withDelivery({ sms: twilio });
    expect(await checked(['--project', file])).toEqual([
      expect.stringContaining('delivery.sms.account_sid must be AC and 32'),
      expect.stringContaining('delivery.sms.from must be given, or messaging_service_sid'),
      '! The server would not start: 2 wrong.',
    ]);
    withDelivery({ smtp: { url: 'mail.example', from: 'login@shop.example' }, whatsapp: webhook });
    expect(await checked(['--project', file])).toEqual([
      expect.stringContaining('delivery.smtp.url must be smtp://'),
      expect.stringContaining('delivery.whatsapp.secret must be whsec_'),
      expect.stringContaining('delivery.whatsapp.url must be'),
      '! The server would not start: 3 wrong.',
    ]);
    writeFileSync(file, text.replace('"name"', '"nmae"'));
    const sender = { PORTICO_TWILIO_FROM: 'Shop of many letters', PORTICO_SMTP_URL: 'mail.example' };
    expect(await checked(['--project', file, '--port', 'x'], sender)).toEqual([
      expect.stringMatching(/^--port must be a number/u),
      expect.stringContaining('nmae must be left out'),
      expect.stringMatching(/^PORTICO_SMTP_URL must be smtp:/u),
      expect.stringMatching(/^PORTICO_TWILIO_FROM must be a number/u),
      '! The server would not start: 4 wrong.',
    ]);
  });

  it('warns of a token of another project, and of an address without https', async () => {
    const text = readFileSync(file, 'utf8');
    const warned = async (from: string, to: string): Promise<readonly string[]> => {
      writeFileSync(file, text.replace(from, to));
      return (await checked(['--project', file])).filter((line) => line.startsWith('warning: '));
    };
    expect(await warned('public-token-live-', 'public-token-test-')).toEqual([
      'warning: project_id has -live- and public_token -test-: take both from one project',
    ]);
    expect(await warned('project-live-', 'project-test-')).toEqual([expect.stringContaining('project_id has -test-')]);
    expect(await warned('https://auth.shop.example', 'http://auth.shop.example')).toEqual([
      expect.stringMatching(/^warning: issuer is http: .* Set it to the https address of this server$/u),
    ]);
    expect(await warned('https://auth.shop.example', 'http://localhost:4100')).toEqual([]);
  });

  it('names a wrong template, and a file that is not JSON', async () => {
    writeFileSync(join(shop, 'templates/welcome.txt'), 'Welcome');
    expect(await checked(['--project', file])).toEqual([
      `In ${join(shop, 'templates')}, welcome.txt must begin with a line "Subject: …" and an empty line.`,
      '! The server would not start: 1 wrong.',
    ]);
    writeFileSync(file, '{\n  "name": \n}\n');
    expect(await checked(['--project', file])).toEqual([
      expect.stringMatching(/portico\.jsonc: the project file is not JSON \(line 3: value expected\)$/u),
      '! The server would not start: 1 wrong.',
    ]);
  });

  it('reads the folder of a project with its variables, and warns of one that has no effect', async () => {
    writeFileSync(join(shop, 'portico.env'), 'PORTICO_SMTP_ULR=smtp://mail.example\n');
    expect(await checked([shop])).toEqual([
      'warning: PORTICO_SMTP_ULR is no variable of Portico: did you mean PORTICO_SMTP_URL?',
      `Nothing is wrong with ${file}.`,
    ]);
    writeFileSync(join(shop, 'portico.env'), 'PORTICO_SMTP_URL=mail.example\nPORTICO_MAIL_FROM=login@shop.example\n');
    expect(await checked([shop])).toEqual([
      expect.stringMatching(/^PORTICO_SMTP_URL must be /u),
      '! The server would not start: 1 wrong.',
    ]);
    expect(await checked([join(folder, 'none')])).toEqual([
      expect.stringContaining('none/portico.jsonc: it cannot be read (ENOENT)'),
      '! The server would not start: 1 wrong.',
    ]);
  });
});
