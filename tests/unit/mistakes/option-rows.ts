import { describe, expect, it } from 'vitest';

/** The names of options with a unit of time. */
type TimedName = `${string}${'Minutes' | 'Seconds' | 'Ms'}`;

/**
 * A row of the table of mistakes for each option of a type: values of another type, and, where the option has a unit, values of another
 * unit. An option without its row does not compile.
 */
export type Rows<Options> = {
  readonly [Name in keyof Options]-?: { readonly wrongType: readonly unknown[] } & (Name extends TimedName
    ? { readonly wrongUnit: readonly unknown[] }
    : object) &
    (object extends Pick<Options, Name> ? object : { readonly isRequired: true });
};

type AnyRow = Readonly<{ wrongType: readonly unknown[]; wrongUnit?: readonly unknown[]; isRequired?: true }>;

export interface Surface {
  /** Options without a mistake. */
  readonly good: Readonly<Record<string, unknown>>;
  /** The messages about these options. */
  readonly messagesOf: (options: Readonly<Record<string, unknown>>) => readonly string[];
  /** Before the name of an option in a message, such as `config.`. */
  readonly path?: string;
  /** Options of which no value is wrong, only a misspelled name. */
  readonly takesAnything?: readonly string[];
  /** Another test has the names that do not exist. */
  readonly takesNames?: boolean;
}

/** What to do: the allowed values or names, or another option. */
const REMEDY =
  /must (?:not )?(?:be|list)|must have|needs|need each other|Give |is its environment variable set\?|omit it|Did you mean|[Tt]here are|is no (?:option|requirement|setting)/u;

/** The message of what a call throws. */
export function thrownBy(call: () => unknown): readonly string[] {
  try {
    call();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** The mistakes that the error of a server's options names, a line for each. */
export const mistakesOf = (call: () => unknown): readonly string[] =>
  thrownBy(call).flatMap((message) => message.split('\n').slice(1));

/** Each cell of the table has one message that names the option and the remedy. */
export function eachMistakeHasAMessage(
  surface: string,
  rows: Readonly<Record<string, AnyRow>>,
  { good, messagesOf, path = '', takesAnything = [], takesNames = false }: Surface,
): void {
  const says = (options: Readonly<Record<string, unknown>>, name: string): void => {
    const messages = messagesOf(options);
    expect([options, messages]).toEqual([options, [expect.stringContaining(name)]]);
    expect(messages[0]).toMatch(REMEDY);
  };
  describe(`the options of ${surface}`, () => {
    it('have a good example', () => expect(messagesOf(good)).toEqual([]));

    it.each(Object.entries(rows))('say what is wrong with %s', (name, { wrongType, wrongUnit = [], isRequired }) => {
      expect(wrongType.length === 0).toBe(takesAnything.includes(name));
      for (const value of [...wrongType, ...wrongUnit]) says({ ...good, [name]: value }, `${path}${name}`);
      if (isRequired) {
        const { [name]: _, ...without } = good;
        says(without, `${path}${name}`);
        says({ ...good, [name]: undefined }, `${path}${name}`);
      }
      if (takesNames) return;
      const { [name]: value, ...others } = good;
      // Of a required option that is misspelled, the message is about the misspelled one.
      says({ ...others, [`${name}s`]: value ?? true }, `${name}s`);
    });
  });
}

/** The wrong values of all rows at once have a message for each row. */
export function allMistakesHaveMessages(
  surface: string,
  rows: Readonly<Record<string, AnyRow>>,
  { good, messagesOf }: Surface,
): void {
  it(`all mistakes of the options of ${surface} are told at once`, () => {
    const wrong = Object.entries(rows).map(([name, { wrongType }]) => [name, wrongType[0]] as const);
    const messages = messagesOf({ ...good, ...Object.fromEntries(wrong), unheardOf: 1 });
    const names = [...Object.keys(rows), 'unheardOf'];
    expect(names.filter((name) => !messages.some((message) => message.startsWith(name)))).toEqual([]);
    expect(messages).toHaveLength(names.length);
  });
}
