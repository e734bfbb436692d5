import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { siteLink, withSiteLinks } from '../../../site/make/links.ts';
import { StrictPolicy } from '../../../site/make/strict-policy.ts';
import { PAGES } from '../../../site/pages.ts';

describe('The pages of the documentation', () => {
  it('are all documents, each once', () => {
    const files = PAGES.map(({ file }) => file);
    expect(new Set(files).size).toBe(files.length);
    const documents = readdirSync('docs').filter((name) => name.endsWith('.md'));
    expect(files.filter((file) => file.startsWith('docs/')).sort()).toEqual(
      documents.map((name) => `docs/${name}`).sort(),
    );
  });

  it.each([
    ['docs/server.md', 'people.md#erase', '/people#erase'],
    ['docs/server.md', '../provider/README.md#keys', '/provider#keys'],
    ['README.md', 'docs/widget.png', '/widget.png'],
    ['docs/theming.md', 'presets-dark.webp', '/presets-dark.webp'],
    ['docs/server.md', '#errors', '#errors'],
    ['docs/server.md', 'https://semver.org/', 'https://semver.org/'],
    [
      'docs/behind-a-proxy.md',
      '../provider/deploy/Caddyfile',
      'https://github.com/portico-auth/portico/blob/main/provider/deploy/Caddyfile',
    ],
  ])('in %s, %s leads to %s', (from, target, link) => expect(siteLink(from, target)).toBe(link));

  it('keep brackets in code as they are', () => {
    const text = 'See `[a](b.md)` and [more](people.md).\n\n```ts\nconst a = b[c](people.md);\n```\n\n[x](server.md)\n';
    expect(withSiteLinks('docs/server.md', text)).toBe(
      'See `[a](b.md)` and [more](/people).\n\n```ts\nconst a = b[c](people.md);\n```\n\n[x](/server)\n',
    );
  });

  it('show pictures from the site', () => {
    const picture = '<picture>\n<source srcset="a-dark.webp">\n<img alt="A" src="a-light.webp">\n</picture>\n';
    expect(withSiteLinks('docs/theming.md', picture)).toBe(
      '<picture>\n<source srcset="/a-dark.webp">\n<img alt="A" src="/a-light.webp">\n</picture>\n',
    );
  });

  it('hold no script and no style inline', () => {
    const html = '<a style="color:red" href="x">a</a><script id="check">1;</script><script src="/a.js"></script>';
    const page = new StrictPolicy('/docs/').page(html);
    expect(page).not.toMatch(/\sstyle=|<script[^>]*>[^<]/u);
    expect(page).toMatch(/<a data-style="\w+" href="x">a<\/a><script src="\/docs\/strict\/\w+\.js"><\/script>/u);
    expect(page).toContain('<script src="/a.js"></script>');
  });
});
