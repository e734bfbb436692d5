import { describe, expect, expectTypeOf, it } from 'vitest';
import { hasShape, wrongFields, type Infer, type Shape } from '#domain/shape.ts';

const SHAPE = {
  email: 'string',
  minutes: 'number',
  tags: 'string[]',
  meta: 'object',
  on: 'boolean',
  note: 'string?',
} as const;
const GOOD = { email: 'a@b.co', minutes: 5, tags: ['x'], meta: {}, on: true };

describe('shapes', () => {
  it('infer the type that they describe', () => {
    expectTypeOf<Infer<{ readonly a: 'string'; readonly b: 'number?' }>>().toEqualTypeOf<
      { readonly a: string } & { readonly b?: number | undefined }
    >();
  });

  it('accept what has every field, more fields, and null or nothing for an optional one', () => {
    expect(hasShape(SHAPE, GOOD)).toBe(true);
    expect(hasShape(SHAPE, { ...GOOD, note: null, more: 1 })).toBe(true);
  });

  it.each([
    ['email', 7, 'email must be a string'],
    ['email', Object('boxed'), 'email must be a string'],
    ['minutes', Number.NaN, 'minutes must be a number'],
    ['minutes', '5', 'minutes must be a number'],
    ['minutes', 5n, 'minutes must be a number'],
    ['tags', ['x', 1], 'tags must be an array of strings'],
    ['tags', 'x', 'tags must be an array of strings'],
    ['meta', [], 'meta must be an object'],
    ['meta', null, 'meta must be an object'],
    ['on', 1, 'on must be a boolean'],
    ['on', undefined, 'on must be a boolean'],
    ['note', Symbol('s'), 'note must be a string'],
  ])('refuse %s = %o', (field, value, message) => {
    expect(wrongFields(SHAPE, { ...GOOD, [field]: value })).toEqual([{ field, message }]);
  });

  it('look at own fields only, and at nothing in what is no object', () => {
    expect(wrongFields({ toString: 'string' } as unknown as Shape, {})).toHaveLength(1);
    expect(wrongFields({ a: 'string' }, Object.create({ a: 'inherited' }))).toHaveLength(1);
    expect(hasShape({}, 'text')).toBe(false);
  });
});
