import { afterEach, describe, expect, it } from 'vitest';
import { crossings, fieldsOfHost } from '../../gallery/borders.ts';
import { byScreen, FIXTURES } from '../../gallery/fixtures.ts';
import { loadAll } from '../../gallery/load-all.ts';
import { steppedWidget, type SteppedWidget } from '../../gallery/stepped.tsx';

const open: SteppedWidget[] = [];

afterEach(() => {
  for (const widget of open.splice(0)) widget.close();
  document.body.replaceChildren();
});

describe('Widgets beside others', () => {
  it('have ids, labels and descriptions of their own, also when they are rendered again', async () => {
    await loadAll(FIXTURES);
    for (const [, fixtures] of byScreen(FIXTURES)) {
      const phone = fixtures.find(({ id }) => id === 'phone');
      const shown = [fixtures[0], fixtures.at(-1), fixtures[Math.floor(fixtures.length / 2)], phone];
      for (const fixture of shown) {
        if (fixture === undefined) continue;
        const widget = steppedWidget(fixture, document.body);
        open.push(widget);
        await widget.show(fixture);
        await widget.show(fixture);
      }
    }
    expect(open.length).toBeGreaterThan(60);
    expect(crossings(open.map(({ container }) => container))).toEqual([]);
    // A renderer's own ids begin again in another copy of the package, so each id begins with that of its widget.
    for (const { container } of open) {
      const ids = [...container.querySelectorAll('[id]')].map(({ id }) => id);
      const [own = 'p0.'] = /^p0\.\d+/u.exec(ids[0] ?? '') ?? [];
      expect(ids.filter((id) => !id.startsWith(own))).toEqual([]);
    }
  });
});

describe('A widget in a form of the host', () => {
  it.each([...byScreen(FIXTURES)])('keeps its fields: %s', async (_, fixtures) => {
    await loadAll(fixtures);
    const form = document.body.appendChild(document.createElement('form'));
    for (const fixture of fixtures) {
      const widget = steppedWidget(fixture, form);
      open.push(widget);
      await widget.show(fixture);
      expect(fieldsOfHost(form), fixture.id).toEqual([]);
      widget.close();
      open.pop();
    }
  });
});
