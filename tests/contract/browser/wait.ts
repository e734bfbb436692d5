export const delay = async (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Resolves when it holds; rejects when it did not come to that in some seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 8_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('It did not come to that');
    await delay(2);
  }
}
