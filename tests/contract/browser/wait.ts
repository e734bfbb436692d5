import { PATIENCE_MS } from '../../patience-ms.ts';

export const delay = async (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Resolves when it holds; rejects when it does not come to that. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('It did not come to that');
    await delay(2);
  }
}
