import { notice } from './notice.ts';

interface Answer {
  readonly status: number;
  readonly page: string;
}

/**
 * What a server says in place of pages that are not built: that they will be, with a look again, or that they cannot be.
 *
 * @param built settles when the pages are built, or could not be
 * @returns null once they are
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
