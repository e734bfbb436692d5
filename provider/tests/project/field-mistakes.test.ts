import { describe, expect, it } from 'vitest';
import { isRecord } from '#domain/shape.ts';
import { DEMO_PROJECT, projectFrom, type Project } from '#provider/project/settings/project.ts';
import { FieldError } from '#provider/project/readers/readers.ts';

/** No field of the project file has such a value. */
const WRONG = { '': [] };

function mistakesOf(json: object): readonly FieldError[] {
  try {
    projectFrom(json);
    return [];
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return error.all;
  }
}

/** The paths of all fields, also within groups. A project has every field of the type, so a new field has its rows. */
function pathsIn(group: object, path: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(group).flatMap(([name, value]): readonly (readonly string[])[] => {
    const here = [...path, name];
    return [here, ...(isRecord(value) && path.length < 2 ? pathsIn(value, here) : [])];
  });
}
const withValue = (path: readonly string[], value: unknown): object =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

const PATHS = pathsIn(DEMO_PROJECT);
const FIELDS = Object.keys(DEMO_PROJECT) as (keyof Project)[];

describe('a field of the project file', () => {
  it.each(PATHS.map((path) => [path.join('.'), path] as const))('%s of a wrong type is named', (name, path) => {
    const found = mistakesOf(withValue(path, WRONG)).map((mistake) => `${mistake.path} must be ${mistake.must}`);
    expect(found).toContainEqual(
      expect.stringMatching(new RegExp(`^${name.replaceAll('.', '\\.')}\\b.* must be .`, 'u')),
    );
  });

  it.each(PATHS.map((path) => [path.join('.'), path] as const))(
    '%s that is misspelled is named, with the field that was meant',
    (name, path) => {
      const misspelled = [...path.slice(0, -1), `${path.at(-1) ?? ''}s`];
      const found = mistakesOf(withValue(misspelled, 1));
      expect(found.map((mistake) => `${mistake.path} must be ${mistake.must}`)).toContain(
        `${name}s must be left out: there is no such field. Did you mean ${path.at(-1) ?? ''}?`,
      );
    },
  );

  it.each(FIELDS.filter((name) => name.endsWith('_minutes')))('%s in seconds or milliseconds is refused', (name) => {
    for (const value of [DEMO_PROJECT[name] as number, 527_040].map((minutes) => minutes * 60_000)) {
      const [mistake] = mistakesOf({ [name]: value });
      expect(mistake).toMatchObject({ path: name, must: expect.stringMatching(/^a whole number from \d+ to \d+$/u) });
    }
  });

  it('hides no mistake of another field', () => {
    const found = mistakesOf(Object.fromEntries(FIELDS.map((name) => [name, WRONG])));
    const named = new Set(found.map(({ path }) => path.split(/[.[]/u)[0]));
    expect(FIELDS.filter((name) => !named.has(name))).toEqual([]);
  });
});
