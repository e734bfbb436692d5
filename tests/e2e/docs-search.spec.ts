/** The search of the documentation: on the index that the build made, and in the page. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '#scripts/lib/root.mjs';
import { INDEX_OPTIONS, SEARCH_OPTIONS } from '../../site/make/search.ts';
import { SEARCH_WORDS } from '../../site/search-words.ts';
import { expect, test } from './fixtures.ts';

/** Words that a guide has in its name. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  react: ['react'],
  'with-next': ['next'],
  'with-svelte': ['svelte'],
  'with-angular': ['angular'],
  'with-nuxt': ['nuxt'],
  'with-astro': ['astro'],
  'with-express': ['express'],
  'with-electron': ['electron'],
  'with-expo': ['expo'],
  captcha: ['captcha'],
  theming: ['theme'],
  testing: ['testing'],
  'mcp-servers': ['mcp'],
  'second-factor': ['second factor'],
  'social-logins': ['social login'],
};

interface SearchIndex {
  search(text: string): readonly { readonly id: unknown }[];
}

/** The library of VitePress, which this repository does not name itself. */
interface SearchLibrary {
  loadJSON(json: string, options: object): SearchIndex;
}

async function builtIndex(): Promise<SearchIndex> {
  const chunks = join(ROOT, '.docs/site/assets/chunks');
  const name = readdirSync(chunks).find((one) => /^@localSearchIndexroot\..*\.js$/u.test(one)) ?? '';
  const { default: json } = (await import(pathToFileURL(join(chunks, name)).href)) as { readonly default: string };
  const library = createRequire(join(ROOT, 'node_modules/vitepress/package.json'))('minisearch') as SearchLibrary;
  return library.loadJSON(json, { ...INDEX_OPTIONS, storeFields: ['title', 'titles'], searchOptions: SEARCH_OPTIONS });
}

test('words of newcomers find their guide first', async () => {
  const index = await builtIndex();
  const found = [SEARCH_WORDS, NAMES].flatMap((list) =>
    Object.entries(list).flatMap(([place, words]) => {
      const [page = ''] = place.split('#');
      return words.map((word) => ({ word, page, first: String(index.search(word)[0]?.id).split('#')[0] }));
    }),
  );
  expect(found.length).toBeGreaterThan(30);
  expect(found.filter(({ page, first }) => first !== `/${page}`)).toEqual([]);
});

test('guides come before the reference', async () => {
  const index = await builtIndex();
  for (const word of ['session', 'passcode', 'storage', 'email']) {
    const pages = index.search(word).map(({ id }) => String(id));
    expect(
      pages.some((id) => id.startsWith('/api/')),
      word,
    ).toBe(true);
    expect(pages[0], word).not.toMatch(/^\/(?:api|specification|changelog)/u);
  }
});

test('the search of the page leads to the guide, under its strict policy', async ({ page }) => {
  await page.goto('/docs/');
  // The page hears keys once its script has run.
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.getByRole('searchbox').fill('logout');
  await expect(page.getByRole('option').first()).toContainText('Signing out');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/react#signing-out$/u);
});
