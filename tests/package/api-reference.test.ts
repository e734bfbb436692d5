import { beforeAll, describe, expect, it } from 'vitest';
import { apiReference, type Reference } from '../../site/api/reference.ts';
import { Modules } from '../../site/api/modules.ts';
import { readEntries } from '../../site/api/entries.ts';

describe('The API reference', () => {
  let reference: Reference;
  beforeAll(() => {
    reference = apiReference();
  });
  const page = (slug: string): string => reference.pages.find((one) => one.slug === slug)?.markdown ?? '';

  it('has a section for every export of every entry', () => {
    const missing = readEntries(new Modules()).flatMap(({ slug, exports }) =>
      [...exports.keys()].filter(
        (name) => !page(slug).includes(`{#${name}}`) && !page(slug).includes(`[\`${name}\`](`),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('says of every export what it is', () => {
    expect(reference.undocumented).toEqual([]);
  });

  it('leads to sections that are there', () => {
    const anchors = new Map(
      reference.pages.map(({ slug, markdown }) => [
        slug,
        new Set(Array.from(markdown.matchAll(/\{#([^}]+)\}/gu), ([, id = '']) => id)),
      ]),
    );
    const inText = reference.pages.flatMap(({ markdown }) =>
      Array.from(markdown.matchAll(/\]\((\/api\/[^)]+)\)/gu), ([, link = '']) => link),
    );
    const links = [...inText, ...Object.values(reference.links).flatMap((names) => Object.values(names))];
    expect(links.length).toBeGreaterThan(1000);
    const dead = links.filter((link) => {
      const [, slug = '', anchor] = /^\/api\/([^#]*)(?:#(.*))?$/u.exec(link) ?? [];
      const there = anchors.get(slug === '' ? 'index' : slug);
      return there === undefined || (anchor !== undefined && !there.has(anchor));
    });
    expect(dead).toEqual([]);
  });

  it('reports the methods of the client with their types', () => {
    expect(page('client')).toContain('magicLinks.email.loginOrCreate {#magicLinks-email-loginOrCreate}');
    expect(page('client')).not.toContain('import(');
  });
});
