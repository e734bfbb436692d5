import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/lib/root.mjs';

/** A piece of TypeScript in a page of the documentation. */
export interface Example {
  /** Relative to the repository. */
  readonly page: string;
  readonly line: number;
  /** The file that it is, when the page says so: the pages' `file=`. */
  readonly file: string | null;
  readonly extension: 'ts' | 'tsx';
  readonly source: string;
}

const FENCE = /^```(\w+)?([^\n]*)\n([\s\S]*?)^```$/gmu;

/** The examples of one page, in order. */
export function examplesOf(page: string, text: string): readonly Example[] {
  return [...text.matchAll(FENCE)].flatMap(([, language = '', info = '', source = ''], index, all) => {
    if (!['ts', 'tsx', 'typescript'].includes(language)) return [];
    const line = text.slice(0, all[index]?.index).split('\n').length;
    const file = /file=(\S+)/u.exec(info)?.[1] ?? null;
    return [{ page, line, file, extension: language === 'tsx' ? ('tsx' as const) : ('ts' as const), source }];
  });
}

/** The examples of the readme and of every page in docs/. */
export function allExamples(): readonly Example[] {
  const docs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...docs.map((name) => `docs/${name}`)].flatMap((page) =>
    examplesOf(page, readFileSync(join(ROOT, page), 'utf8')),
  );
}
