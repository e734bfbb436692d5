/** The configuration of VitePress: from the output of `site/make` to `.docs/site`, for the path `/docs/`. */
import { transformerStyleToClass } from '@shikijs/transformers';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type DefaultTheme } from 'vitepress';
import { ROOT } from '../scripts/lib/root.mjs';
import { linkedNames, withMarkup, withoutColours } from './make/markup.ts';
import { headingId } from './make/markdown.ts';
import { INDEX_OPTIONS, SEARCH_OPTIONS } from './make/search.ts';
import { sidebarWithoutHeadings } from './make/sidebar.ts';
import { copyAsText, StrictPolicy } from './make/strict-policy.ts';
import { API_DATA, BASE } from './make/write-pages.ts';
import type { Links } from './api/reference.ts';
import { PAGE_GROUPS } from './pages.ts';

const FOLDER = join(ROOT, '.docs');

interface ApiData {
  readonly links: Readonly<Record<string, Links>>;
  readonly pages: readonly { readonly slug: string; readonly label: string }[];
}
const api = JSON.parse(readFileSync(join(FOLDER, 'pages', API_DATA), 'utf8')) as ApiData;

const policy = new StrictPolicy(BASE);
/** Colours of code as classes, because the policy forbids style attributes. */
const codeColours = transformerStyleToClass({ classPrefix: 'code-' });

/** The links of the demo's header, repeated in this site's header. */
const LINKS = [
  ...readFileSync(join(ROOT, 'demo/parts/top.html'), 'utf8').matchAll(/<a href="([^"]+)">([^<]+)<\/a>/gu),
].map(([, href = '', text = '']) => ({ href, text }));

const guides: DefaultTheme.SidebarItem[] = PAGE_GROUPS.map(({ title, pages }) => ({
  text: title,
  items: pages.map(({ label, slug }) => ({ text: label, link: `/${slug}` })),
}));

const reference: DefaultTheme.SidebarItem[] = [
  { text: 'Guides', link: '/getting-started' },
  {
    text: 'API reference',
    items: api.pages.map(({ slug, label }) => ({ text: label, link: `/api/${slug === 'index' ? '' : slug}` })),
  },
];

export const siteConfig = defineConfig({
  lang: 'en',
  title: 'Portico',
  titleTemplate: ':title · Portico',
  description: 'The documentation of Portico: a sign-in widget, a headless client, and a provider to run it against.',
  base: BASE,
  srcDir: join(FOLDER, 'pages'),
  outDir: join(FOLDER, 'site'),
  cacheDir: join(ROOT, 'node_modules/.cache/portico/vitepress'),
  cleanUrls: true,
  // The appearance switch would insert a style element.
  appearance: { disableTransition: false },
  head: [
    ['link', { rel: 'icon', href: `${BASE}icon.svg`, type: 'image/svg+xml' }],
    ['link', { rel: 'stylesheet', href: policy.sheet }],
    ['meta', { name: 'referrer', content: 'no-referrer' }],
  ],
  markdown: {
    anchor: { slugify: headingId },
    languageAlias: { capnp: 'proto' },
    codeTransformers: [codeColours, linkedNames(BASE, api.links)],
    config: withMarkup,
  },
  themeConfig: {
    // The demo's first page, as in the demo's header. `target` prevents VitePress from resolving it below `/docs/`.
    logoLink: { link: '/', target: '_self' },
    nav: LINKS.map(({ text, href }) =>
      href === BASE ? { text, link: '/', activeMatch: '^/' } : { component: 'DemoLink', props: { text, href } },
    ),
    sidebar: { '/api/': reference, '/': [...guides, { text: 'API reference', link: '/api/' }] },
    outline: { level: [2, 3], label: 'On this page' },
    search: {
      provider: 'local',
      options: {
        _render: withoutColours,
        detailedView: 'auto',
        miniSearch: { options: INDEX_OPTIONS, searchOptions: SEARCH_OPTIONS },
      },
    },
    docFooter: { prev: 'Previous', next: 'Next' },
    externalLinkIcon: false,
    notFound: {
      title: 'Page not found',
      quote: 'Search for it above, or begin at the start.',
      linkLabel: 'To the start of the documentation',
      linkText: 'To the start',
    },
  },
  vite: { plugins: [copyAsText(), sidebarWithoutHeadings()], build: { chunkSizeWarningLimit: 2000 } },
  transformHtml: (html) => policy.page(html),
  buildEnd: ({ outDir }) => policy.write(outDir, codeColours.getCSS()),
});
