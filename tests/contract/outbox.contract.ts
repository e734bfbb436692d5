import type { OutboxPort } from '#application/ports/index.ts';
import { suite, type Disposable, type TestRunner } from './runner.ts';

export interface OutboxHarness extends Disposable {
  /** One tab's outbox, empty. */
  readonly here: OutboxPort;
  /** The same store in another tab. */
  readonly elsewhere: OutboxPort;
  /** Makes the store refuse every write from now on. */
  readonly refuse: () => void | Promise<void>;
}

const TEXTS = ['', 'plain', '{"a":[1,null,"ü"]}', 'line\r\nbreak\u0000', '🗝️', 'x'.repeat(10_000)];

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `text ${at}`);

/** The contract of OutboxPort. */
export function outboxContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => OutboxHarness | Promise<OutboxHarness>,
): void {
  const { expect } = runner;
  suite(runner, `OutboxPort: ${name}`, makeHarness, (test) => {
    test('answers nothing when nothing waits', async ({ here }) => {
      expect(await here.take(15)).toEqual([]);
    });

    test('confirms that a text is stored', async ({ here }) => {
      expect(await here.add('text')).toBe(true);
    });

    test('answers the texts as they were added, the oldest first, and removes them', async ({ here }) => {
      for (const text of TEXTS) await here.add(text);
      expect(await here.take(2)).toEqual(TEXTS.slice(0, 2));
      expect(await here.take(100)).toEqual(TEXTS.slice(2));
      expect(await here.take(100)).toEqual([]);
    });

    test('takes none when asked for none', async ({ here }) => {
      await here.add('text');
      expect(await here.take(0)).toEqual([]);
      expect(await here.take(1)).toEqual(['text']);
    });

    test('keeps the order of texts added at once', async ({ here }) => {
      const texts = numbered(20);
      await Promise.all(texts.map(async (text) => here.add(text)));
      expect(await here.take(20)).toEqual(texts);
    });

    test('keeps texts outside of the page: another tab takes them', async ({ here, elsewhere }) => {
      await here.add('one');
      await elsewhere.add('two');
      await here.add('three');
      expect(await elsewhere.take(2)).toEqual(['one', 'two']);
      expect(await here.take(2)).toEqual(['three']);
    });

    test('gives no text to two callers, and loses none between them', async ({ here, elsewhere }) => {
      for (const text of numbered(30)) await here.add(text);
      const tabs = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? here : elsewhere));
      const taken = await Promise.all(tabs.map(async (tab) => tab.take(4)));
      expect(taken.flat().sort()).toEqual([...numbered(30)].sort());
    });

    test('keeps at most 100: the oldest go first', async ({ here }) => {
      const texts = numbered(130);
      for (const text of texts) await here.add(text);
      expect(await here.take(1_000)).toEqual(texts.slice(30));
    });

    test('keeps nothing and does not throw when the store refuses', async ({ here, refuse }) => {
      await refuse();
      expect(await here.add('text')).toBe(false);
      expect(await here.take(1)).toEqual([]);
    });
  });
}
