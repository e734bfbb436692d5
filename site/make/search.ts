import { SEARCH_WORDS } from '../search-words.ts';

/** A section of a page, as VitePress adds it to the index of the search. */
interface IndexedSection {
  /** `/react#signing-out`; the section of the first heading has the page's slug as the id of its heading. */
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The words for a section. */
function wordsOf({ id, titles }: IndexedSection): string {
  const [, page = '', anchor = ''] = /^\/([^#]*)#?(.*)$/u.exec(id) ?? [];
  // Only the first heading of a page has no titles above it.
  const ofPage = Array.isArray(titles) && titles.length === 0 ? (SEARCH_WORDS[page] ?? []) : [];
  return [...ofPage, ...(SEARCH_WORDS[`${page}#${anchor}`] ?? [])].join(' ');
}

/** The options of MiniSearch for the index. The words of newcomers are a field that no page shows. */
export const INDEX_OPTIONS = {
  fields: ['title', 'titles', 'text', 'words'],
  extractField: (section: IndexedSection, field: string): string =>
    (field === 'words' ? wordsOf(section) : section[field]) as string,
};

/** The options of MiniSearch for a search: guides come before the reference. */
export const SEARCH_OPTIONS = {
  fuzzy: 0.15,
  prefix: true,
  boost: { title: 6, words: 12 },
  // It runs in the browser without the rest of this file.
  boostDocument: (id: string): number =>
    /^\/(?:api\b|specification|changelog|contributing|security|threat-model|asvs|accessibility|architecture)/u.test(id)
      ? 0.2
      : 1,
};
