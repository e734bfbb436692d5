import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installHost, type Host } from './host.ts';

/** Places elsewhere that the documents may name as links. */
const ELSEWHERE = new Set(['https://keepachangelog.com/en/1.1.0/', 'https://semver.org/']);

let host: Host;
beforeAll(async () => {
  host = await installHost();
});
afterAll(() => host.remove());

/** The text without its fences and code spans, where brackets are no links. */
const prose = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gmu, '').replaceAll(/`[^`\n]*`/gu, '`code`');

const linksIn = (text: string): readonly string[] =>
  [...prose(text).matchAll(/\]\(([^)\s]+)\)|<(?:a|img)\b[^>]*?\b(?:href|src)="([^"]*)"/gu)].map(
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
function problemOf(root: string, page: string, link: string): string | null {
  if (link.startsWith('https://')) return ELSEWHERE.has(link) ? null : 'leads to a place that is not on the list';
  if (/^[a-z][a-z\d+.-]*:/iu.test(link)) return 'is neither https nor a path';
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, page) : join(root, dirname(page), decodeURIComponent(path));
  if (relative(root, target).startsWith('..')) return 'leads out of the package';
  if (!existsSync(target)) return 'leads to nothing';
  if (anchor === undefined) return null;
  return anchorsOf(readFileSync(target, 'utf8')).has(anchor) ? null : 'names a heading that is not there';
}

const problems = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && lstatSync(join(root, name)).isFile())
    .flatMap((page) =>
      linksIn(readFileSync(join(root, page), 'utf8')).flatMap((link) => {
        const problem = problemOf(root, page, link);
        return problem === null ? [] : [`${page}: ${link} ${problem}`];
      }),
    );

describe('the documents of the packed tarball', () => {
  it('hold no dead link: each leads to a file and heading of the tarball, or to a known place', () => {
    expect(problems(host.installed)).toEqual([]);
  });

  it('are all there, with the links between them', () => {
    const readme = linksIn(readFileSync(join(host.installed, 'README.md'), 'utf8'));
    expect(readme.length).toBeGreaterThan(10);
    const pages = readdirSync(join(host.installed, 'docs')).filter((name) => name.endsWith('.md'));
    expect(pages.filter((name) => !readme.includes(`docs/${name}`))).toEqual([]);
  });

  it.each([
    ['../src/main.ts', 'leads out of the package'],
    ['docs/missing.md', 'leads to nothing'],
    ['docs/theming.md#nowhere', 'names a heading that is not there'],
    ['docs/theming.md#your-own-rules', null],
    ['http://localhost:3000', 'is neither https nor a path'],
    ['https://example.com/', 'leads to a place that is not on the list'],
  ])('%s: %s', (link, problem) => {
    expect(problemOf(host.installed, 'README.md', link)).toBe(problem);
  });
});
