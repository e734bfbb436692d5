import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync('docs/architecture.md', 'utf8');
const files = ['src', 'provider/src'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name.replaceAll('\\', '/')}`),
);
const walks = [...text.matchAll(/^\*\*(?<title>[^*]+?) \((?<count>\d+)\)\.\*\* (?<path>[\s\S]*?)(?=\n\n)/gmu)].map(
  ({ groups }) => ({
    title: groups?.['title'] ?? '',
    count: Number(groups?.['count']),
    path: [...(groups?.['path'] ?? '').matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name),
  }),
);

/** The most files that each walk may have: a third less than before the client had one lazy boundary. */
const MOST = [24, 12, 20, 24, 18];

describe('The walks of the architecture', () => {
  it('are five, each as short as it should be', () => {
    expect(walks).toHaveLength(MOST.length);
    walks.forEach(({ count }, index) => expect(count).toBeLessThanOrEqual(MOST[index] ?? 0));
  });

  it.each(walks)('$title: names as many files as it says, and each is there', ({ count, path }) => {
    expect(new Set(path).size).toBe(path.length);
    expect(path).toHaveLength(count);
    expect(path.filter((name) => !files.some((file) => /\.tsx?$/u.test(file) && file.includes(`/${name}.ts`)))).toEqual(
      [],
    );
  });

  it('are of folders that the table names', () => {
    const folders = [...text.matchAll(/^\| `([^`]+)` \|/gmu)].map(([, name = '']) => name);
    expect(folders).toEqual([
      'src/domain',
      'src/application',
      'src/infrastructure',
      'src/presentation',
      'src/composition',
      'provider',
    ]);
  });
});
