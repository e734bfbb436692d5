import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '#domain/widget/language.ts';
import { createApp } from '#provider/operation/app.ts';
import { templatesIn } from '#provider/messages/mail/template-files.ts';
import { LINK_KINDS, PASSCODE_KINDS, REFUSAL_KIND } from '#provider/messages/texts/kinds.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';

let provider: Provider;
const folder = mkdtempSync(join(tmpdir(), 'portico-templates-'));
beforeAll(async () => {
  writeFileSync(join(folder, 'mine.txt'), 'Subject: Mine\n\nGo to {{link}}');
  writeFileSync(join(folder, 'mine.html'), '<a href="{{link}}">Mine in {{language}}</a>');
  provider = await makeProvider(ANY_DATABASE, { templates: templatesIn(folder) });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await provider.close();
});

async function open(path: string, headers: Record<string, string> = {}) {
  const reply = await provider.app.request(path, { headers });
  return { status: reply.status, text: await reply.text(), policy: reply.headers.get('content-security-policy') ?? '' };
}

/** The address of the frame in a page of previews. */
const frameOf = (page: string): string => (/<iframe[^>]*src="([^"]*)"/u.exec(page)?.[1] ?? '').replaceAll('&amp;', '&');

describe('the previews', () => {
  it('show every kind of email in every language', async () => {
    const kinds = [...PASSCODE_KINDS, ...LINK_KINDS, REFUSAL_KIND];
    for (const [index, kind] of kinds.entries()) {
      const language = LANGUAGES[index % LANGUAGES.length] ?? 'en';
      const page = await open(`/dev/mails?kind=${kind}&language=${language}`);
      expect(page.status).toBe(200);
      for (const each of kinds) expect(page.text).toContain(`kind=${each}&amp;language=${language}`);
      for (const each of LANGUAGES) expect(page.text).toContain(`kind=${kind}&amp;language=${each}`);
      const mail = await open(frameOf(page.text));
      expect(mail.text).toContain(`<html lang="${language}"`);
      const hasSecret = /428193|DOYoip3rvIMMW5lgItik/u.test(mail.text);
      expect([kind, hasSecret]).toEqual([kind, kind !== REFUSAL_KIND]);
    }
  });

  it('show an email in light and in dark, independent of the browser', async () => {
    const dark = (await open('/dev/mails/html?scheme=dark')).text;
    expect(dark).toContain('@media all{.page{');
    expect(dark).toContain('content="dark"');
    const light = (await open('/dev/mails/html?scheme=light')).text;
    expect(light).toContain('@media not all{.page{');
    expect(light).toContain('content="light"');
  });

  it('show the farewell as it is sent: with its own subject, and without a link', async () => {
    const { text } = await open('/dev/mails/html?notice=account_deleted');
    expect(text).toMatch(/<h1[^>]*>Your .* account was deleted<\/h1>/u);
    expect(text).not.toContain('<a ');
  });

  it('show the templates of the project', async () => {
    const page = await open('/dev/mails?template=mine&language=de');
    expect(page.text).toContain('Go to https://app.example.com/');
    expect((await open(frameOf(page.text))).text).toMatch(/^<a href="[^"<]*">Mine in de<\/a>$/u);
  });

  it('have no script, and mails are sandboxed', async () => {
    const page = await open('/dev/mails');
    expect(page.policy).toContain(`default-src 'none'`);
    expect(page.policy).not.toContain('script-src');
    const mail = await open(frameOf(page.text));
    expect(mail.policy).toContain('sandbox allow-popups');
    expect(mail.policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/u);
  });

  it('take hostile parameters for the first choice', async () => {
    const hostile = encodeURIComponent('"><script>x</script>');
    const query = ['kind', 'language', 'scheme', 'width', 'template'].map((name) => `${name}=${hostile}`).join('&');
    const page = await open(`/dev/mails?${query}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('<script');
    expect(frameOf(page.text)).toBe('/dev/mails/html?kind=login_passcode&language=en&scheme=light&width=360');
  });
});

describe('the HTML in the inbox', () => {
  it('is that of the message', async () => {
    const { code } = await provider.sendCode('ada@example.com');
    const message = await provider.newest();
    const mail = await open(`/dev/inbox/${message?.id}/html`);
    expect(mail.text).toContain(`>${code}</td>`);
    expect(mail.policy).toContain('sandbox');
    await provider.post('/otps/sms/login_or_create', { phone_number: '+14155558001' });
    const text = await provider.newest();
    for (const id of [text?.id, 'unknown', '%00', 'x'.repeat(2000)]) {
      expect((await open(`/dev/inbox/${id}/html`)).status).toBe(404);
    }
  });

  it('and the previews are for this machine, and for --dev', async () => {
    const served = createApp({ ...provider.services, dev: false });
    for (const path of ['/dev/mails', '/dev/mails/html', '/dev/inbox/x/html']) {
      expect((await open(path, { origin: 'https://evil.example' })).status).toBe(403);
      expect((await open(path, { 'x-forwarded-for': '10.0.0.1' })).status).toBeGreaterThanOrEqual(400);
      expect((await served.request(path)).status).toBe(404);
    }
  });
});
