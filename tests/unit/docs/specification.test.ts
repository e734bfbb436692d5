import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { api } from '../../../src/application/api/index.ts';
import type { Endpoint } from '../../../src/application/api/index.ts';
import { errorTexts } from '../../../src/presentation/messages/en/errors.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const text = read('docs/specification.md');
const sections = text.split(/^## \d\. /mu).slice(1);
const section = (number: number): string => sections[number - 1] ?? '';
const quoted = (part: string, pattern: RegExp): string[] => [...part.matchAll(pattern)].map(([, name = '']) => name);

const sources = ['src', 'provider/src', 'provider/tests', 'tests'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/u.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`),
);

describe('The specification', () => {
  it('has the nine sections that comments cite, and comments cite no other', () => {
    expect(sections).toHaveLength(9);
    const cited = sources.flatMap((path) =>
      quoted(read(path).replaceAll(/\n\s*(?:\*|\/\/)?\s*/gu, ' '), /[Ss]pecification, sections? ([\d, and]*\d)/gu),
    );
    expect(cited.length).toBeGreaterThan(50);
    const numbers = cited.flatMap((one) => one.match(/\d+/gu) ?? []).map(Number);
    expect(numbers.filter((number) => number < 1 || number > sections.length)).toEqual([]);
  });

  it('lists every call of the wire, and no other', () => {
    const listed = quoted(section(7), /`((?:GET|POST|PUT|DELETE) \/[^`]*)`/gu).sort();
    const calls = Object.values(api).flatMap((area) => Object.values<Endpoint>(area));
    expect(listed).toEqual(calls.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('lists every screen that has transitions, and no other', () => {
    const listed = quoted(section(2), /^\| `(\w+)` \|/gmu).sort();
    const union = read('src/domain/screens/screen.ts');
    expect(listed).toEqual([...new Set(quoted(union, /readonly name: '(\w+)'/gu))].sort());
  });

  it('lists every type of refusal that has a text, and no other', () => {
    const list = section(8).split('These types have texts:')[1]?.split("One Tap's")[0] ?? '';
    const types = Object.keys(errorTexts).map((key) => key.replace('error.', '').replace(/\..*/u, ''));
    expect(quoted(list, /`([a-z_]+)`/gu).sort()).toEqual([...new Set(types)].sort());
  });
});
