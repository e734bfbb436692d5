import { describe, expect, it } from 'vitest';
import { configSections } from '#scripts/config-reference.ts';
import { EXAMPLES, exampleOf } from '../../../site/examples/examples.ts';
import { exampleAddress, readShown } from '../../../demo/embed/address.ts';
import { DEFAULTS, readChoices } from '../../../demo/parts/choices.ts';
import { checkConfig } from '#domain/widget/widget-config.ts';

const ORIGIN = 'http://localhost:3000';
const options = configSections().flatMap(({ title, rows }) =>
  rows.map(({ name }) => ({ section: title, option: name.replace('?', '') })),
);

describe('The live examples of the configuration', () => {
  it('are of every option, and of nothing else', () => {
    expect(options.length).toBeGreaterThan(80);
    const listed = Object.entries(EXAMPLES).flatMap(([section, examples]) =>
      Object.keys(examples).map((option) => ({ section, option })),
    );
    expect(listed).toEqual(expect.arrayContaining(options));
    expect(options).toEqual(expect.arrayContaining(listed));
  });

  it('and every option says what it is', () => {
    const silent = configSections().flatMap(({ title, rows }) =>
      rows.flatMap(({ name, doc }) => (doc === '' ? [`${title}: ${name}`] : [])),
    );
    expect(silent).toEqual([]);
  });

  it.each(options)(
    '$section $option: its address says what it sets, and the widget takes it',
    ({ section, option }) => {
      const { address, choices, widget = 'login', client = 'plain', see } = exampleOf(section, option);
      const { pathname, search } = new URL(address, ORIGIN);
      expect(pathname).toBe('/embed');
      const read = readChoices(search, ORIGIN);
      expect(read).toEqual({ ...DEFAULTS, ...choices });
      expect(readShown(search)).toEqual({ widget, client });
      expect(() => checkConfig(read.config)).not.toThrow();
      expect(see).toMatch(/^[A-Z].*\.$/u);
    },
  );

  it('name an option that is there', () => {
    expect(() => exampleOf('`config`', 'missing')).toThrow('The option missing in "`config`" has no live example.');
  });

  it('take no client and no widget from an address but those that they know', () => {
    expect(readShown('?widget=constructor&client=__proto__')).toEqual({ widget: 'login', client: 'plain' });
    expect(exampleAddress({}, {})).toBe('/embed');
  });
});
