import { Ajv2020 } from 'ajv/dist/2020.js';

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/** A part of a JSON pointer in a URI. */
const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The examples of an OpenAPI description that do not match their schemas: a line for each. All schemas are compiled. */
export function wrongExamples(description: Json): { readonly count: number; readonly wrong: readonly string[] } {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(description, 'description');
  const wrong: string[] = [];
  let count = 0;
  const read = (value: Json, place: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    if (value.schema !== undefined && ('example' in value || 'examples' in value)) {
      const name = value.examples?.reply.$ref.split('/').at(-1);
      const example = name === undefined ? value.example : description.components.examples[name].value;
      const validate = ajv.compile({ $ref: `description#/${[...place, 'schema'].map(escaped).join('/')}` });
      count += 1;
      if (!validate(example)) wrong.push(`${place.join(' ')}: ${ajv.errorsText(validate.errors)}`);
    }
    for (const [key, inner] of Object.entries(value)) {
      if (key !== 'schema' && key !== 'example') read(inner, [...place, key]);
    }
  };
  read(description.paths, ['paths']);
  read(description.components.responses, ['components', 'responses']);
  return { count, wrong };
}
