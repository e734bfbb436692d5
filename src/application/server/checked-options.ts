/** The option checks that the verifier and the MCP guard share. */
import { withScheme } from '#domain/project/endpoints.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { safeUrl } from '#domain/safe-url.ts';
import { isRecord, wrongFields, type FieldKind } from '#domain/shape.ts';
import { nearestName, unknownOption } from '#domain/widget/option-names.ts';
import { memberMistakes, refuseMistakes } from './mistakes.ts';

/** Options that a shape cannot describe. */
type Other = 'cookies' | 'fetch';
/** The shape of options; a missing one is a compile error. */
export type ShapeOf<Options> = Readonly<Record<Exclude<keyof Options, Other>, FieldKind>>;

/** The bounds of a time limit. Fewer milliseconds are probably seconds by mistake. */
export const TIMEOUT_MS = [100, 600_000] as const;
export const TOLERANCE_SECONDS = [0, 60] as const;

/** Collects the mistakes in one call's options, one per option. `end` throws them all. */
export class OptionChecks<Options extends object> {
  private readonly mistakes = new Map<string, string>();
  private readonly names: readonly string[];

  /**
   * @param method the method that these options are for
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
  }

  /** Notes the mistake in an option. */
  refuse(name: string, mistake: string): void {
    if (!this.mistakes.has(name)) this.mistakes.set(name, mistake);
  }

  isWrong(name: keyof Options & string): boolean {
    return this.mistakes.has(name);
  }

  /** Throws an SDKUsageError with the mistakes, if there are any. */
  end(): void {
    refuseMistakes(this.method, [...this.mistakes.values()]);
  }

  /** The correct options, without surrounding blanks, which often come with pasting into a variable. */
  read(input: Options): Partial<Options> {
    if (!isRecord(input)) throw new SDKUsageError(this.method, `the options must be an object: ${this.example}`);
    const good: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(input)) {
      const trimmed = typeof value === 'string' && this.isText(name) ? value.trim() : value;
      const mistake = this.mistakeOf(name, trimmed);
      if (mistake === null) good[name] = trimmed;
      else this.refuse(name, mistake);
    }
    // If an option is misspelled, it is not reported as missing, too.
    const nearestNames = new Set(Object.keys(input).map((name) => nearestName(name, this.names)));
    for (const { field, message } of wrongFields(this.shape, good)) {
      if (!nearestNames.has(field)) this.refuse(field, message);
    }
    return good as Partial<Options>;
  }

  /** String options are often environment variables. An unset variable must not count as an omitted option. */
  private isText(name: string): boolean {
    return /^string\??$/u.test(this.shape[name] ?? '');
  }

  private mistakeOf(name: string, value: unknown): string | null {
    const unknown = unknownOption({ [name]: value }, this.names);
    if (unknown !== null) return unknown;
    if (this.isText(name) && (value ?? '') === '')
      return `${name} is ${value === undefined ? 'undefined' : 'empty'}: is its environment variable set?`;
    // A default replaces only an omitted option.
    if (value === null) return `${name} is null: omit it for its default`;
    if (name === 'fetch') return value === undefined || typeof value === 'function' ? null : 'fetch must be a function';
    const kind = this.shape[name];
    const [wrong] = kind === undefined ? [] : wrongFields({ [name]: kind }, { [name]: value });
    if (wrong !== undefined) return wrong.message;
    return name === 'adapters' ? memberMistakes(name, value ?? {}, this.adapters).join('\n') || null : null;
  }

  /**
   * The URL of a server. If the option is wrong already, returns a placeholder URL.
   *
   * @param allowHttp null for a URL that must always be https
   */
  url(field: string, text: string | undefined, allowHttp: boolean | null): URL {
    const url = new URL(safeUrl(withScheme((text ?? '').trim()), allowHttp ?? false) ?? 'https://user@invalid');
    if (text === undefined || `${url.search}${url.hash}${url.username}${url.password}` === '') return url;
    const remedy = allowHttp === null ? '' : '. On a private network of your servers, allowHttp: true accepts http';
    this.refuse(
      field,
      `${field} must be an https address, or an http address of this machine, with neither ? nor #, such as https://auth.example.com or http://localhost:4100${remedy}`,
    );
    return url;
  }

  within(field: string, value: number, [least, most]: readonly [number, number], unit: string): number {
    if (!(value >= least && value <= most)) this.refuse(field, `${field} must be from ${least} to ${most} ${unit}`);
    return value;
  }
}

/** A URL as text, without a slash at its end. */
export const withoutSlash = ({ href }: URL): string => /^.*[^/]/su.exec(href)?.[0] ?? '';
