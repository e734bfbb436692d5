/**
 * Makes something once, for everybody who asks. A failure is for those who asked meanwhile, and is forgotten: the next
 * one who asks tries again.
 */
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
