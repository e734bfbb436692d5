import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PRESET_NAMES } from '#domain/widget/theme.ts';
import { PRESETS } from '#presentation/theme/presets/presets.ts';
import { warnOfMistakes } from '#presentation/parts/login/mistakes.ts';
import { modern } from '#presentation/theme/presets/modern.ts';

const FILE = '../../../src/presentation/theme/presets/presets.ts';
const PRESET = 'data-portico-preset';

const warnings: string[] = [];

/** A page in which no preset has been asked for, and an element that is styled. */
async function freshPage() {
  vi.resetModules();
  const { applyTheme } = await import('#presentation/theme/apply-theme.ts');
  const { adoptStyles } = await import('#presentation/theme/stylesheet.ts');
  const element = document.createElement('div');
  const drop = adoptStyles(document);
  const sheets = (): number => document.adoptedStyleSheets.length;
  let styles: unknown;
  const again = vi.fn<() => void>(() => apply(styles));
  const apply = (next: unknown): void => {
    styles = next;
    applyTheme(element, next as never, (message) => void warnings.push(message), again);
  };
  return { element, apply, again, sheets, drop, shown: () => element.getAttribute(PRESET) };
}

beforeEach(() => {
  warnings.length = 0;
  vi.useFakeTimers();
});

afterEach(() => {
  vi.doUnmock(FILE);
  vi.useRealTimers();
});

it('shows an imported preset at once, and adopts its sheets once', async () => {
  const { apply, shown, sheets, again, drop } = await freshPage();
  const before = sheets();
  // Test runs leave the texts of sheets out.
  const preset = { ...modern, sheets: () => ['a { color: red; }', 'b { color: red; }'] };
  apply({ preset });
  expect([shown(), sheets()]).toEqual(['modern', before + 2]);
  apply({ preset });
  expect(sheets()).toBe(before + 2);
  apply({});
  expect(shown()).toBeNull();
  expect([again.mock.calls.length, warnings]).toEqual([0, []]);
  drop();
});

it('waits for the file of a preset that is named, and waits once for a page', async () => {
  const { apply, shown, again, drop } = await freshPage();
  apply({ preset: 'paper' });
  expect(shown()).toBe('');
  await vi.waitFor(() => expect(shown()).toBe('paper'));
  expect(again).toHaveBeenCalledOnce();
  apply({ preset: 'ocean' });
  expect(shown()).toBe('ocean');
  expect(warnings).toEqual([]);
  drop();
});

it('shows what the host wants by the time the file is there', async () => {
  const { apply, shown, again, drop } = await freshPage();
  apply({ preset: 'paper' });
  apply({});
  expect(shown()).toBeNull();
  await vi.waitFor(() => expect(again).toHaveBeenCalled());
  expect(shown()).toBeNull();
  drop();
});

it('shows the default look when the file does not come in time, and the preset when it comes late', async () => {
  let arrive: (file: object) => void = () => undefined;
  vi.doMock(FILE, async () => new Promise<object>((resolve) => (arrive = resolve)));
  const { apply, shown, drop } = await freshPage();
  apply({ preset: 'warm' });
  await vi.advanceTimersByTimeAsync(2_900);
  expect(shown()).toBe('');
  await vi.advanceTimersByTimeAsync(200);
  expect(shown()).toBeNull();
  arrive({ presetFor: () => modern });
  await vi.waitFor(() => expect(shown()).toBe('modern'));
  drop();
});

it('shows the default look when the file cannot be loaded', async () => {
  vi.doMock(FILE, () => {
    throw new Error('offline');
  });
  const { apply, shown, drop } = await freshPage();
  apply({ preset: 'warm' });
  await vi.waitFor(() => expect(shown()).toBeNull());
  drop();
});

it.each(['modrn', 'constructor', ''])('waits for no file where there is no preset of the name %j', async (preset) => {
  const loaded = vi.fn<() => object>(() => ({}));
  vi.doMock(FILE, loaded);
  const { apply, shown, again, drop } = await freshPage();
  apply({ preset });
  expect(shown()).toBeNull();
  await vi.advanceTimersByTimeAsync(4_000);
  expect([loaded.mock.calls, again.mock.calls]).toEqual([[], []]);
  drop();
});

it.each(['modrn', 'constructor', ''])('shows the default look for %j where the file is there', async (preset) => {
  const { apply, shown, drop } = await freshPage();
  apply({ preset: 'paper' });
  await vi.waitFor(() => expect(shown()).toBe('paper'));
  apply({ preset });
  expect(shown()).toBeNull();
  drop();
});

it('lists the presets that there are, so that each waits for its file', () => {
  expect(Object.keys(PRESETS)).toEqual(PRESET_NAMES);
});

it('whose file does not come is told to the developer, and no other', async () => {
  const { element, apply, shown, drop } = await freshPage();
  const judge = (preset: unknown) =>
    warnOfMistakes({ styles: { preset } as never }, {}, element, (message) => void warnings.push(message));
  apply({ preset: 'warm' });
  await judge('warm');
  await vi.waitFor(() => expect(shown()).toBe('warm'));
  await judge('warm');
  apply({ preset: modern });
  await judge(modern);
  apply({});
  await judge(undefined);
  expect(warnings).toEqual([]);
  await judge('warm');
  expect(warnings).toEqual([
    expect.stringMatching(/styles\.preset 'warm' shows the default look.*Content-Security-Policy/u),
  ]);
  drop();
});

it('marks the first look of a preset that replaces the bars, which must not begin at the default look', async () => {
  const { element, apply, shown, drop } = await freshPage();
  const isMarked = () => element.hasAttribute('data-portico-arrives');
  apply({ preset: 'paper' });
  expect(isMarked()).toBe(false);
  await vi.waitFor(() => expect(shown()).toBe('paper'));
  expect(isMarked()).toBe(true);
  await vi.advanceTimersByTimeAsync(300);
  expect(isMarked()).toBe(false);
  // Another preset replaces a look that was seen.
  apply({ preset: 'ocean' });
  expect([shown(), isMarked()]).toEqual(['ocean', false]);
  drop();
});

it.each([[7], [null], [{}], [[]], [{ name: 'modern', sheets: ['a {}'] }]])(
  'names a preset that is none: %j',
  async (preset) => {
    const { apply, shown, drop } = await freshPage();
    apply({ preset });
    expect([shown(), warnings]).toEqual([null, ['styles.preset is not valid and was ignored.']]);
    drop();
  },
);
