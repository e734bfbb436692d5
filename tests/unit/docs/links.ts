import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Places elsewhere that the documents may name as links. */
const ELSEWHERE = new Set([
  'https://keepachangelog.com/en/1.1.0/',
  'https://semver.org/',
  'https://mustache.github.io/mustache.5.html',
  'https://www.standardwebhooks.com/',
  'https://playwright.dev/docs/clock',
  'https://www.eff.org/dice',
  'https://owasp.org/www-project-application-security-verification-standard/',
  'https://www.w3.org/TR/WCAG22/',
  'https://www.etsi.org/deliver/etsi_en/301500_301599/301549/03.02.01_60/',
  'https://schema.ocsf.io/1.2.0',
  'https://w3c.github.io/webappsec-dbsc/',
  'https://fidoalliance.org/metadata/',
  'https://github.com/IBMa/equal-access',
  'https://github.com/Siteimprove/alfa',
  'https://github.com/wallet-standard/wallet-standard',
  'https://mailpit.axllent.org',
  'https://caddyserver.com',
  'https://auth0.com/docs/manage-users/user-migration/bulk-user-exports',
  'https://firebase.google.com/docs/cli/auth',
  'https://github.com/stytchauth/stytch-node-export-users',
]);
const RFC = /^https:\/\/www\.rfc-editor\.org\/rfc\/rfc\d+$/u;
/** It leads to each provider's console and documents. */
const OF_PROVIDERS = 'docs/social-logins.md';

/** The text without its fences and code spans, where brackets are no links. */
const prose = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gmu, '').replaceAll(/`[^`\n]*`/gu, '`code`');

/** Where a page's links lead, as it writes them. */
export const linksIn = (text: string): readonly string[] =>
  [...prose(text).matchAll(/\]\(([^)\s]+)\)|<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"]*)"/gu)].map(
    ([, link, attribute]) => link ?? attribute ?? '',
  );

/** The names of a page's headings, as forges make them. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.replaceAll(/^```[\s\S]*?^```$/gmu, '').matchAll(/^#{1,6} (.+)$/gmu)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );

/** What is wrong with one link of a page, or null. */
export function linkProblem(root: string, page: string, link: string): string | null {
  if (link.startsWith('https://')) {
    return ELSEWHERE.has(link) || RFC.test(link) || page === OF_PROVIDERS
      ? null
      : 'leads to a place that is not on the list';
  }
  if (/^[a-z][a-z\d+.-]*:/iu.test(link)) return 'is neither https nor a path';
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, page) : join(root, dirname(page), decodeURIComponent(path));
  if (relative(root, target).startsWith('..')) return 'leads out of the package';
  if (!existsSync(target)) return 'leads to nothing';
  if (anchor === undefined) return null;
  return anchorsOf(readFileSync(target, 'utf8')).has(anchor) ? null : 'names a heading that is not there';
}

/** What is wrong with the links of all pages in a folder of a root: by itself, the root. */
export const linkProblems = (root: string, folder = ''): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => name.endsWith('.md') && lstatSync(join(root, name)).isFile())
    .flatMap((page) =>
      linksIn(readFileSync(join(root, page), 'utf8')).flatMap((link) => {
        const problem = linkProblem(root, page, link);
        return problem === null ? [] : [`${page}: ${link} ${problem}`];
      }),
    );
