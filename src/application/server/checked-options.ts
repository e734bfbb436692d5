/** The checks that the options of the verifier and of the MCP guard share. Each throws an SDKUsageError that names the option. */
import { withScheme } from '../../domain/project/endpoints.ts';
import { SDKUsageError } from '../../domain/errors.ts';
import { safeUrl } from '../../domain/safe-url.ts';
import { isRecord, wrongFields, type FieldKind } from '../../domain/shape.ts';
import { unknownOption } from '../../domain/widget/option-names.ts';

/** Options that a shape cannot describe. */
type Other = 'cookies' | 'fetch';
/** The shape of options: one that is missing does not compile. */
export type ShapeOf<Options> = Readonly<Record<Exclude<keyof Options, Other>, FieldKind>>;

/** The bounds of a time limit. Fewer are seconds by mistake. */
export const TIMEOUT_MS = [100, 600_000] as const;
export const TOLERANCE_SECONDS = [0, 60] as const;

export class OptionChecks<Options extends object> {
  private readonly names: readonly string[];
  /** Options that are a text are often environment variables. An unset variable must not count as an omitted option. */
  private readonly texts: readonly string[];

  /**
   * @param method the method whose options these are
   * @param example the required options, for a call without any
   */
  constructor(
    private readonly method: string,
    private readonly shape: ShapeOf<Options> & Readonly<Record<string, FieldKind>>,
    private readonly adapters: Readonly<Record<string, 'object?'>>,
    others: readonly (Other & keyof Options)[],
    private readonly example: string,
  ) {
    this.names = [...Object.keys(shape), ...others];
    this.texts = Object.keys(shape).filter((name) => /^string\??$/u.test(shape[name] ?? ''));
  }

  refuse(details: string): never {
    throw new SDKUsageError(this.method, details);
  }

  /** The options without the blanks that come along when people paste into a variable. */
  read(given: Options): Options {
    if (!isRecord(given)) return this.refuse(`the options must be an object: ${this.example}`);
    const unknown = unknownOption(given, this.names);
    if (unknown !== null) this.refuse(unknown);
    const trimmed: Record<string, unknown> = { ...given };
    for (const name of this.texts) {
      const value: unknown = trimmed[name];
      if (typeof value === 'string') trimmed[name] = value.trim();
      if (!Object.hasOwn(given, name) || (trimmed[name] ?? '') !== '') continue;
      this.refuse(`${name} is ${value === undefined ? 'undefined' : 'empty'}: is its environment variable set?`);
    }
    // A default replaces an omitted option only.
    const empty = Object.keys(trimmed).find((name) => trimmed[name] === null);
    if (empty !== undefined) this.refuse(`${empty} is null: omit it for its default`);
    const [wrong] = wrongFields(this.shape, trimmed);
    if (wrong !== undefined) this.refuse(wrong.message);
    const { adapters = {}, fetch } = trimmed;
    const strange = unknownOption(adapters, Object.keys(this.adapters));
    if (strange !== null) this.refuse(`adapters.${strange}`);
    const [broken] = wrongFields(this.adapters, adapters);
    if (broken !== undefined) this.refuse(`adapters.${broken.message}`);
    if (fetch !== undefined && typeof fetch !== 'function') this.refuse('fetch must be a function');
    return trimmed as Options;
  }

  /**
   * The address of a server.
   *
   * @param allowHttp null for an address that needs https in any case
   */
  url(field: string, text: string, allowHttp: boolean | null): URL {
    const url = new URL(safeUrl(withScheme(text.trim()), allowHttp ?? false) ?? 'https://user@invalid');
    if (`${url.search}${url.hash}${url.username}${url.password}` === '') return url;
    const remedy = allowHttp === null ? '' : '. On a private network of your servers, allowHttp: true accepts http';
    return this.refuse(
      `${field} must be an https address, or an http address of this machine, with neither ? nor #, such as https://auth.example.com or http://localhost:4100${remedy}`,
    );
  }

  within(field: string, value: number, [least, most]: readonly [number, number], unit: string): number {
    return value >= least && value <= most ? value : this.refuse(`${field} must be from ${least} to ${most} ${unit}`);
  }
}

/** The text of an address without a slash at its end. */
export const withoutSlash = ({ href }: URL): string => /^.*[^/]/su.exec(href)?.[0] ?? '';
