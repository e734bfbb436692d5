import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/lib/root.mjs';

/** A fence in a page of the documentation. */
export interface Example {
  /** Relative to the repository. */
  readonly page: string;
  readonly line: number;
  /** The file that it is, when the page says so: the pages' `file=`. */
  readonly file: string | null;
  /** The file of the repository that it is a part of, when the page says so: the pages' `from=`. */
  readonly from: string | null;
  /** The whole file of the reader's app that it is, when the page says so: the pages' `path=`. */
  readonly path: string | null;
  /** As the fence spells it; empty where it says none. */
  readonly language: string;
  readonly source: string;
}

const FENCE = /^```(\w+)?([^\n]*)\n([\s\S]*?)^```$/gmu;

/** The examples of one page, in order. */
export function examplesOf(page: string, text: string): readonly Example[] {
  return [...text.matchAll(FENCE)].map((found) => {
    const [, language = '', info = '', source = ''] = found;
    const line = text.slice(0, found.index).split('\n').length;
    const named = (key: string): string | null => new RegExp(`\\b${key}=(\\S+)`, 'u').exec(info)?.[1] ?? null;
    return { page, line, file: named('file'), from: named('from'), path: named('path'), language, source };
  });
}

/** What people read: the readmes, every page in docs/, and how to contribute. */
export function allExamples(): readonly Example[] {
  const docs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'provider/README.md'];
  return [...pages, ...docs.map((name) => `docs/${name}`)].flatMap((page) =>
    examplesOf(page, readFileSync(join(ROOT, page), 'utf8')),
  );
}

/** The example that a page calls so. */
export function exampleNamed(file: string): Example {
  const found = allExamples().filter((example) => example.file === file);
  const [example] = found;
  if (example === undefined || found.length > 1) throw new Error(`${found.length} examples are called ${file}`);
  return example;
}

/** What is wrong with a block that says where it is from, or null. Only whole lines that follow each other are a part. */
export function partProblem({ source }: Pick<Example, 'source'>, file: string): string | null {
  if (source.trim() === '') return 'is empty';
  return `\n${file}`.includes(`\n${source}`) ? null : 'is no part of the file that it names';
}

/** The address by which the pages name the local provider. */
export const DOCUMENTED_PROVIDER = 'http://localhost:4100';
