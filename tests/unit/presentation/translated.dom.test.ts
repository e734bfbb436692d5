import { afterEach, describe, expect, it } from 'vitest';
import { byScreen, FIXTURES } from '../../gallery/fixtures.ts';
import { loadAll } from '../../gallery/load-all.ts';
import { differencesOf } from '../../gallery/walk.ts';

// happy-dom lacks the property.
if (!('translate' in HTMLElement.prototype)) {
  Object.defineProperty(HTMLElement.prototype, 'translate', {
    configurable: true,
    get(this: HTMLElement) {
      return this.getAttribute('translate') !== 'no';
    },
    set(this: HTMLElement, value: boolean) {
      this.setAttribute('translate', value ? 'yes' : 'no');
    },
  });
}

afterEach(() => document.body.replaceChildren());

describe('A page that is translated while it changes shows the same texts as one that is not', () => {
  it.each([...byScreen(FIXTURES)])('%s', async (_, fixtures) => {
    await loadAll(fixtures);
    expect(await differencesOf(fixtures, document.body)).toEqual([]);
  });
});
