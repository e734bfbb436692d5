/** The extensions of a caller's ceremony. Their code is loaded with the first ceremony that uses them. */
import { SDKUsageError } from '#domain/errors.ts';
import { parseJson } from '#domain/json.ts';
import { prfResults, prfText, type PasskeyExtensionResults, type PasskeyExtensions } from '#domain/prf.ts';
import { isRecord } from '#domain/shape.ts';

export { withoutPrfResults } from '#domain/prf.ts';

/** Extensions of a ceremony, which the client passes to the browser. Their results are in the reply, and are never sent to the server. */
export interface ExtensionOptions {
  readonly extensions?: PasskeyExtensions | undefined;
}

/** The fields of a reply with the results of the extensions. */
export interface WithExtensionResults {
  /** Present if the call has `extensions`. It is never sent to the server. */
  readonly client_extension_results?: PasskeyExtensionResults;
}

/** Extensions with valid fields. */
export interface CheckedExtensions {
  /** The options of the ceremony with the extensions: JSON text. */
  readonly into: (options: string) => string;
  readonly resultsOf: (credential: string) => Required<WithExtensionResults>;
}

function record(method: string, field: string, value: unknown, fieldNames: readonly string[]) {
  if (!isRecord(value)) throw new SDKUsageError(method, `${field} must be an object`);
  const unknown = Object.keys(value).find((name) => !fieldNames.includes(name));
  if (unknown !== undefined)
    throw new SDKUsageError(method, `${field}.${unknown} is unknown; there is ${fieldNames.join(', ')}`);
  return value;
}

/** Throws an SDKUsageError that names the field, before anything is sent. */
export function checkedExtensions(method: string, extensionInputs: unknown): CheckedExtensions {
  const { prf = {} } = record(method, 'extensions', extensionInputs, ['prf']);
  const { eval: values } = record(method, 'extensions.prf', prf, ['eval']);
  const field = 'extensions.prf.eval';
  const texts = values === undefined ? {} : { ...record(method, field, values, ['first', 'second']) };
  for (const name of values === undefined ? [] : ['first', 'second']) {
    if (name === 'second' && texts[name] === undefined) continue;
    const text = prfText(texts[name]);
    if (text === null) {
      throw new SDKUsageError(method, `${field}.${name} must be 1 to 1024 bytes, in a buffer or as base64url`);
    }
    texts[name] = text;
  }
  const input = values === undefined ? {} : { eval: texts };
  return {
    into(options) {
      const read = parseJson(options);
      if (!isRecord(read)) return options;
      const { extensions } = read;
      return JSON.stringify({ ...read, extensions: { ...(isRecord(extensions) ? extensions : {}), prf: input } });
    },
    resultsOf: (credential) => ({ client_extension_results: prfResults(credential) }),
  };
}
