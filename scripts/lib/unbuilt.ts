import { notice } from './notice.ts';

interface Answer {
  readonly status: number;
  readonly page: string;
}

/**
 * The notice in place of pages that are not built: they are being built (the page reloads), or the build failed.
 *
 * @param built settles when the pages are built, or could not be
 * @returns null once the pages are built
 */
export function unbuilt(title: string, built: Promise<void>): () => Answer | null {
  let state: 'building' | 'built' | 'failed' = 'building';
  built.then(
    () => (state = 'built'),
    () => (state = 'failed'),
  );
  return () => {
    if (state === 'built') return null;
    if (state === 'failed') {
      const text = 'The pages could not be built: the terminal of npm start says why.';
      return { status: 500, page: notice(title, text) };
    }
    const text = 'The pages are being built, which takes some seconds. This page opens them then.';
    return { status: 503, page: notice(title, text, { again: true }) };
  };
}
