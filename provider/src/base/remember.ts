/** Makes a value once and shares it. A failure rejects the waiting callers; the next caller tries again. */
export function onceMade<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return async () => {
    made ??= Promise.resolve().then(make);
    const asked = made;
    try {
      return await asked;
    } catch (error) {
      if (made === asked) made = null;
      throw error;
    }
  };
}
