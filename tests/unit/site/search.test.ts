import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { headingId } from '../../../site/make/markdown.ts';
import { INDEX_OPTIONS, SEARCH_OPTIONS } from '../../../site/make/search.ts';
import { PAGE_GROUPS, PAGES } from '../../../site/pages.ts';
import { SEARCH_WORDS } from '../../../site/search-words.ts';

const headingsOf = (file: string): readonly string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^#{2,4} (.+)$/gmu)].map(([, title = '']) => headingId(title));

describe('the words of the search', () => {
  it.each(Object.keys(SEARCH_WORDS))('are of a page or section that exists: %s', (place) => {
    const [slug, anchor] = place.split('#');
    const page = PAGES.find((one) => one.slug === slug);
    expect(page).toBeDefined();
    if (anchor !== undefined) expect(headingsOf(page?.file ?? '')).toContain(anchor);
  });

  it('lead to one place each', () => {
    const words = Object.values(SEARCH_WORDS).flat();
    expect(words).toEqual([...new Set(words)]);
    expect(words.length).toBeGreaterThan(30);
  });

  it('are in the index of their section alone', () => {
    const of = (id: string, titles: readonly string[]) =>
      INDEX_OPTIONS.extractField({ id, titles }, 'words').split(' ');
    expect(of('/react#react', [])).toContain('hooks');
    expect(of('/react#signing-out', ['React', 'Hooks'])).toContain('logout');
    expect(of('/react#hooks', ['React'])).toEqual(['']);
    expect(INDEX_OPTIONS.extractField({ id: '/react', title: 'React' }, 'title')).toBe('React');
  });
});

describe('the order of the search', () => {
  const weightOf = (id: string): number => SEARCH_OPTIONS.boostDocument(id);

  it('has guides before the reference and the pages for reviewers', () => {
    const late = new Set(['Trust', 'Reference']);
    for (const { title, pages } of PAGE_GROUPS) {
      for (const { slug } of pages) expect([slug, weightOf(`/${slug}#x`) < 1]).toEqual([slug, late.has(title)]);
    }
    expect(weightOf('/api/portico#PorticoClient')).toBeLessThan(1);
  });

  it('works without the rest of its file, as in the browser', () => {
    const alone = String(SEARCH_OPTIONS.boostDocument);
    expect(alone).not.toMatch(/SEARCH|PAGE|import/u);
  });
});
