import { describe, expect, it } from 'vitest';
import { keepsValues } from '#infrastructure/storage/keeps-values.ts';

function area(change: Partial<Storage> = {}): Storage {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    ...change,
  } as Storage;
}

const denied = (): never => {
  throw new DOMException('denied', 'SecurityError');
};

describe('a store that keeps values', () => {
  it('is detected by a test write, which is removed again', () => {
    const store = area();
    expect(keepsValues(() => store)).toBe(true);
    expect(store.getItem('portico_probe')).toBeNull();
  });

  it.each([
    ['its getter throws', denied],
    ['there is none', () => null],
    ['writing throws', () => area({ setItem: denied })],
    ['writing is ignored', () => area({ setItem: () => undefined })],
  ])('is not one where %s', (_, get) => {
    expect(keepsValues(get)).toBe(false);
  });
});
