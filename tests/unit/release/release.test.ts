import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chapterOf, releaseProblems, versionsIn, type Release } from '#scripts/lib/release.ts';
import { ROOT } from '#scripts/lib/root.mjs';

const CHANGELOG = `# Changelog

## [1.3.0] – 2026-12-01

### Client

- A.

## [1.2.0] – unreleased

- B.

## [1.1.0] – 2026-11-01
`;
const READY: Release = {
  changes: [],
  tags: ['v1.3.0'],
  versions: { 'package.json': '1.3.0', 'provider/package.json': '1.3.0' },
  changelog: CHANGELOG,
};
const inVersion = (version: string): Release => ({
  ...READY,
  tags: [`v${version}`],
  versions: { 'package.json': version, 'provider/package.json': version },
});

describe('a release', () => {
  it('of a clean tree with a tag and a dated chapter has no problem', () => {
    expect(releaseProblems(READY, true)).toEqual([]);
    expect(releaseProblems({ ...READY, tags: [] }, false)).toEqual([]);
    expect(releaseProblems(inVersion('1.2.0'), false)).toEqual([]);
  });

  it.each([
    [
      'uncommitted changes',
      { ...READY, changes: [' M package.json'] },
      false,
      ['commit or remove these changes:  M package.json'],
    ],
    ['a wrong version', inVersion('next'), false, ["package.json must have a version such as 1.2.3, and has 'next'", 'CHANGELOG.md must have a chapter ## [next] with text']], // prettier-ignore
    ['two versions', { ...READY, versions: { 'package.json': '1.3.0', 'provider/package.json': '1.2.0' } }, false, ["provider/package.json must have the version 1.3.0 of package.json, and has '1.2.0'"]], // prettier-ignore
    ['no chapter', inVersion('1.4.0'), true, ['CHANGELOG.md must have a chapter ## [1.4.0] with text']],
    ['an empty chapter', inVersion('1.1.0'), true, ['CHANGELOG.md must have a chapter ## [1.1.0] with text']],
    ['a chapter without a date', inVersion('1.2.0'), true, ['the chapter of 1.2.0 in CHANGELOG.md must have a date such as 2026-12-01']], // prettier-ignore
    ['no tag', { ...READY, tags: ['v1.2.0'] }, true, ['the last commit must have the tag v1.3.0']],
  ] as const)('with %s is refused', (_, release, isPublished, problems) => {
    expect(releaseProblems(release, isPublished)).toEqual(problems);
  });

  it('takes its notes from the chapter of the version', () => {
    expect(chapterOf('1.3.0', CHANGELOG)).toEqual({ date: '2026-12-01', text: '### Client\n\n- A.' });
    expect(chapterOf('1.0.0', CHANGELOG)).toBeNull();
  });

  it('of this repository has the same version in each file, and a chapter', () => {
    const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    expect(releaseProblems({ changes: [], tags: [], versions: versionsIn(), changelog }, false)).toEqual([]);
  });
});
