import { describe, expect, it } from 'vitest';
import { unknownOption } from '#application/widget/effects/explain-options.ts';
import {
  IDENTITY_PROVIDER,
  LINK,
  MOUNT,
  optionMistakes,
  PASSCODE,
  PROVIDER,
  RESET,
  SESSION,
  WIDGET_OPTIONS,
  type KindName,
  type OptionTable,
  type TableOf,
} from '#composition/lazy/option-mistakes.ts';
import type {
  MountAccountOptions,
  MountIdentityProviderOptions,
  MountLoginOptions,
  MountPasskeyRegistrationOptions,
  MountResetPasswordOptions,
} from '#composition/ui-client.ts';
import { LINK_MINUTES, PASSCODE_MINUTES, SESSION_MINUTES } from '#domain/rules/lifetimes.ts';

/** The tables of the mounts. Without an option of the types they do not compile, so a new option has its rows. */
const MOUNTS: {
  readonly login: TableOf<MountLoginOptions>;
  readonly account: TableOf<MountAccountOptions>;
  readonly passkeyRegistration: TableOf<MountPasskeyRegistrationOptions>;
  readonly resetPassword: TableOf<MountResetPasswordOptions>;
  readonly identityProvider: TableOf<MountIdentityProviderOptions>;
} = {
  login: MOUNT,
  account: MOUNT,
  passkeyRegistration: MOUNT,
  resetPassword: RESET,
  identityProvider: IDENTITY_PROVIDER,
};

type Cell = readonly [path: string, options: object, mistake: string];

const isTable = (kind: unknown): kind is OptionTable =>
  typeof kind === 'object' && kind !== null && !Array.isArray(kind);
/** The options with this value at the end of the path. */
const withValue = (path: readonly string[], value: unknown): object =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

/** Values of another type, for each kind that is checked here. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  string: [7, [], {}],
  boolean: ['true', 0],
  function: ['f', {}],
  array: ['a', {}, 7],
  object: ['a', 7, []],
  other: [],
};

function cellsOf(table: OptionTable, path: readonly string[] = []): readonly Cell[] {
  return Object.entries(table).flatMap(([name, kind]): readonly Cell[] => {
    const here = [...path, name];
    const at = here.join('.');
    const misspelled: Cell = [at, withValue([...path, `${name}s`], 'x'), `${name}s is no option.`];
    if (isTable(kind)) {
      const wrong = ['a', 7, []].map((value): Cell => [at, withValue(here, value), `${at} must be an object.`]);
      return [misspelled, ...wrong, ...cellsOf(kind, here)];
    }
    if (typeof kind === 'string') {
      const wrong = (WRONG[kind] ?? []).map((value): Cell => [at, withValue(here, value), `${at} must be `]);
      return [misspelled, ...wrong];
    }
    const [least = 0, most = 0] = kind as readonly number[];
    const odd = ['30', least - 1, most + 1, most * 60, least + 0.5];
    const remedy = `it must be a whole number of minutes from ${least} to ${most}.`;
    return [misspelled, ...odd.map((value): Cell => [at, withValue(here, value), `${at} is ${JSON.stringify(value)}: ${remedy}`])]; // prettier-ignore
  });
}

const messagesOf = (widget: string, options: object): readonly string[] =>
  optionMistakes(widget as KindName, options).map((mistake) =>
    typeof mistake === 'string' ? mistake : unknownOption(mistake),
  );

describe.each(Object.entries(WIDGET_OPTIONS))('the options of the widget %s', (widget, table) => {
  it('have one message for each mistake, which names the option and the remedy', () => {
    const cells = cellsOf(table);
    expect(cells.length).toBeGreaterThan(100);
    for (const [path, options, mistake] of cells) {
      expect([path, options, messagesOf(widget, options)]).toEqual([path, options, [expect.stringContaining(mistake)]]);
    }
  });

  it('have none for a value that is undefined or null, and for the least and the most minutes', () => {
    for (const value of [undefined, null]) {
      for (const name of Object.keys(table)) expect(messagesOf(widget, { [name]: value })).toEqual([]);
    }
    const config = {
      otpOptions: { expirationMinutes: PASSCODE[1] },
      sessionOptions: { sessionDurationMinutes: SESSION[0] },
      emailMagicLinksOptions: { loginExpirationMinutes: LINK[1] },
    };
    expect(messagesOf(widget, { config })).toEqual([]);
  });
});

it('a name that every object has is no option', () => {
  for (const name of ['toString', 'constructor', 'hasOwnProperty'])
    expect(messagesOf('login', { config: { [name]: {} } })).toEqual([
      expect.stringContaining(`Of config, ${name} is no option.`),
    ]);
});

it('a social login that is no object is named', () => {
  const config = { oauthOptions: { providers: ['google', { type: 'github' }] } };
  expect(messagesOf('login', { config })).toEqual(['an OAuth provider must be an object.']);
});

it('a widget that says which of two it is has the options of its kind', () => {
  expect(messagesOf('resetPassword of a token', { token: 'a' })).toEqual([]);
});

it('the options of a social login have messages, too', () => {
  const config = (provider: object) => ({ config: { oauthOptions: { providers: [{ type: 'github' }, provider] } } });
  for (const name of Object.keys(PROVIDER)) {
    expect(messagesOf('login', config({ [`${name}s`]: 1 }))).toEqual([
      expect.stringContaining(`Of an OAuth provider, ${name}s is no option. Did you mean ${name}?`),
    ]);
  }
  expect(messagesOf('login', config({ one_tap: 'yes' }))).toEqual([
    'config.oauthOptions.providers[1].one_tap must be true or false.',
  ]);
});

it('the minutes are those of the server', () => {
  const of = ({ min, max }: { readonly min: number; readonly max: number }) => [min, max];
  expect([LINK, PASSCODE, SESSION]).toEqual([of(LINK_MINUTES), of(PASSCODE_MINUTES), of(SESSION_MINUTES)]);
});

it('each widget has the table of its mount', () => {
  for (const [widget, table] of Object.entries(MOUNTS)) {
    expect(WIDGET_OPTIONS[widget as keyof typeof MOUNTS]).toMatchObject(table);
  }
});
