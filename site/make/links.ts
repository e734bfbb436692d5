import { posix } from 'node:path';
import names from '../../names.json' with { type: 'json' };
import { PAGES } from '../pages.ts';

const REPOSITORY = names.repository.replace(/^git\+|\.git$/gu, '');

const FILES = `${REPOSITORY}/blob/main/`;

/** The URL of a file of the repository. The demo serves the files next to these pages, without a network. */
export const sourceUrl = (path: string): string => `${FILES}${path}`;

/** The demo's page of a file, or null for a path that is not a file of the repository. */
export const shownSource = (url: string): string | null =>
  url.startsWith(FILES) ? `/source?at=${encodeURIComponent(url.slice(FILES.length)).replaceAll('%2F', '/')}` : null;

/** Matches a fence or a code span, which is not rewritten, or else the target of a link or of an image, in Markdown or in HTML. */
const CODE_OR_LINK =
  /^(?<fence>`{3,})[\s\S]*?^\k<fence>$|`[^`\n]*`|\]\((?<target>[^)\s]+)\)|(?<=<(?:img|source)\b[^>]*\b(?:src|srcset)=")(?<picture>[^"]+)(?=")/gmu;

/** The link of a document, which leads to another file of the repository, as a link between the pages of the site. */
export function siteLink(from: string, target: string): string {
  if (/^[a-z][a-z\d+.-]*:|^#/iu.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const file = posix.join(posix.dirname(from), path);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const found = PAGES.find((page) => page.file === file);
  if (found) return `/${found.slug}${hash}`;
  return /\.(?:png|svg|webp)$/u.test(file) ? `/${posix.basename(file)}` : `${sourceUrl(file)}${hash}`;
}

/** The Markdown with other targets of its links and pictures; code stays as it is. */
export const withLinks = (markdown: string, linkOf: (target: string) => string): string =>
  markdown.replaceAll(CODE_OR_LINK, (whole: string, ...rest: readonly unknown[]) => {
    const { target, picture } = rest.at(-1) as { readonly target?: string; readonly picture?: string };
    if (picture !== undefined) return linkOf(picture);
    return target === undefined ? whole : `](${linkOf(target)})`;
  });

/** The Markdown of a document, with its links rewritten for the site. */
export const withSiteLinks = (from: string, markdown: string): string =>
  withLinks(markdown, (target) => siteLink(from, target));
