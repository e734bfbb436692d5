import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { modern } from '../../../src/presentation/theme/presets/modern.ts';

const FILE = '../../../src/presentation/theme/presets/presets.ts';
const PRESET = 'data-portico-preset';

const warnings: string[] = [];

/** A page in which no preset has been asked for, and an element that is styled. */
async function freshPage() {
  vi.resetModules();
  const { applyTheme } = await import('../../../src/presentation/theme/apply-theme.ts');
  const { adoptStyles } = await import('../../../src/presentation/theme/stylesheet.ts');
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
  arrive({ presetNamed: () => modern });
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

it.each(['modrn', 'constructor', ''])('names a preset that does not exist: %j', async (preset) => {
  const { apply, shown, drop } = await freshPage();
  apply({ preset });
  await vi.waitFor(() => expect(shown()).toBeNull());
  expect(warnings).toEqual([
    `styles.preset is '${preset}', not one of modern, soft, compact, paper, mono, warm, ocean, contrast. The default look is used.`,
  ]);
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
