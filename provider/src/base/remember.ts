/** Makes a value once and shares it. A failure rejects the waiting callers; the next caller tries again. */
export function onceMade<T>(make: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | null = null;
  return async () => {
    shared ??= Promise.resolve().then(make);
    const current = shared;
    try {
      return await current;
    } catch (error) {
      if (shared === current) shared = null;
      throw error;
    }
  };
}
