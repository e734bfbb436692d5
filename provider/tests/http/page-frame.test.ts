import { html } from 'hono/html';
import { describe, expect, it } from 'vitest';
import { pageFrame, type PageHead } from '#provider/base/http/page-frame.ts';

const pageOf = async (head: Partial<PageHead> = {}): Promise<string> =>
  String(await pageFrame({ title: 'Keys', css: '/keys.css', ...head }, html`<main>Body</main>`));

describe('the frame of a page', () => {
  it('escapes what is written into it', async () => {
    const page = await pageOf({ title: '</title><script>', css: '/"><script>', scripts: ['/"><script>'] });
    expect(page).toContain('<title>&lt;/title&gt;&lt;script&gt;</title>');
    expect(page.match(/<script/gu)).toHaveLength(1);
  });

  it('needs no source but this server, and no inline style', async () => {
    const page = await pageOf({ scripts: ['/keys.js'] });
    const sources = [...page.matchAll(/(?:href|src)="([^"]*)"/gu)].map(([, source]) => source);
    expect(sources).toEqual(['data:,', '/keys.css', '/keys.js']);
    expect(page).not.toMatch(/<style|style=/u);
  });

  it('is English unless it is said, and in no search engine', async () => {
    expect(await pageOf()).toContain('<html lang="en" dir="ltr">');
    expect(await pageOf({ language: 'ar', direction: 'rtl' })).toContain('<html lang="ar" dir="rtl">');
    expect(await pageOf()).toContain('<meta name="robots" content="noindex" />');
  });
});
