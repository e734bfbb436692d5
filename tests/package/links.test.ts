import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkProblem, linkProblems, linksIn } from '../unit/docs/links.ts';
import { installHost, type Host } from './host.ts';

let host: Host;
beforeAll(async () => {
  host = await installHost();
});
afterAll(() => host.remove());

describe('the documents of the packed tarball', () => {
  it('hold no dead link: each leads to a file and heading of the tarball, or to a known place', () => {
    expect(linkProblems(host.installed)).toEqual([]);
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
    expect(linkProblem(host.installed, 'README.md', link)).toBe(problem);
  });
});
