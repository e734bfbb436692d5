import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { textFiles, textLink } from '../../../site/make/as-text.ts';
import { headingId } from '../../../site/make/markdown.ts';
import { PAGES } from '../../../site/pages.ts';
import { examplesOf } from '../docs/examples.ts';

const LINK = /(?<!!)\[[^\]]*\]\(\/docs\/(?<file>[^)#\s]+)(?:#(?<anchor>[^)\s]+))?\)/gu;
const withoutCode = (text: string): string => text.replaceAll(/^(`{3,})[\s\S]*?^\1$|`[^`\n]*`/gmu, '');

describe('the documentation as text', () => {
  let files: ReadonlyMap<string, string>;
  beforeAll(() => (files = textFiles()));

  it('lists each page once in llms.txt, with its topics', () => {
    const list = files.get('llms.txt') ?? '';
    expect(list).toMatch(/^# Portico\n\n> /u);
    for (const { slug } of PAGES) {
      const lines = list.split('\n').filter((line) => line.includes(`](/docs/${slug}.md)`));
      expect(lines, slug).toHaveLength(1);
      expect(lines[0]).toMatch(/: \w.{15,}[.?]$/u);
    }
    expect(list).toContain('(/docs/api/react.md)');
  });

  it.each([
    [/rate limit|limits of requests/iu, 'provider'],
    [/rotation/iu, 'provider'],
    [/webhooks/iu, 'provider'],
    [/import, export, delete/iu, 'people'],
    [/audit log/iu, 'people'],
    [/changing an email address/iu, 'headless'],
    [/giving roles/iu, 'roles'],
    [/inviting people/iu, 'sign-up'],
  ])('finds %s on the page %s', (topic, slug) => {
    const line = files
      .get('llms.txt')
      ?.split('\n')
      .find((one) => one.includes(`](/docs/${slug}.md)`));
    expect(line).toMatch(topic);
  });

  it('has all guides in llms-full.txt', () => {
    const all = files.get('llms-full.txt') ?? '';
    for (const { slug } of PAGES) expect(all).toContain(files.get(`${slug}.md`));
  });

  it('links from text to text, to headings that are there', () => {
    let count = 0;
    for (const [name, text] of files) {
      for (const { groups } of withoutCode(text).matchAll(LINK)) {
        const { file = '', anchor } = groups ?? {};
        if (/\.(?:png|svg|webp)$/u.test(file) || file === 'llms-full.txt') continue;
        const target = files.get(file);
        expect(target, `${name} links to ${file}`).toBeDefined();
        count += 1;
        if (anchor === undefined || file.startsWith('api/') || file === 'configuration.md') continue;
        const ids = [...(target ?? '').matchAll(/^#+ (.*)$/gmu)].map(([, heading = '']) => headingId(heading));
        expect(ids, `${name} links to ${file}#${anchor}`).toContain(anchor);
      }
    }
    expect(count).toBeGreaterThan(500);
  });

  it('keeps code as it is', () => {
    expect(files.get('react.md')).toContain("import { defineLogin } from 'portico';");
  });

  it.each([
    ['/people#erase', '/docs/people.md#erase'],
    ['/api/', '/docs/api/index.md'],
    ['/api/portico#Client', '/docs/api/portico.md#Client'],
    ['/widget.png', '/docs/widget.png'],
    ['#errors', '#errors'],
    ['https://example.com/a', 'https://example.com/a'],
  ])('the link %s becomes %s', (link, text) => expect(textLink(link)).toBe(text));
});

it('the files of the skill are those of the ten steps, which a test runs', () => {
  const filesOf = (page: string) =>
    examplesOf(page, readFileSync(page, 'utf8')).flatMap(({ path, source }) => (path === null ? [] : [[path, source]]));
  expect(filesOf('skills/portico/SKILL.md')).toEqual(filesOf('docs/getting-started.md'));
});

it('the skill names guides that exist', () => {
  const skill = readFileSync('skills/portico/SKILL.md', 'utf8');
  const named = [...skill.matchAll(/`docs\/([\w-]+)\.md`/gu)].map(([, name]) => `docs/${name}.md`);
  expect(named.length).toBeGreaterThan(8);
  const known = new Set(PAGES.map(({ file }) => file));
  expect(named.filter((file) => !known.has(file))).toEqual([]);
  expect(skill).toMatch(/^---\nname: portico\ndescription: .+\n---\n/u);
});
