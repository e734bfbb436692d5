import { adoptStyles } from '#presentation/theme/stylesheet.ts';
import { crossings, fieldsOfHost } from './borders.ts';
import { byScreen, FIXTURES } from './fixtures.ts';
import { loadAll } from './load-all.ts';
import { PressedPage } from './pressed.ts';
import { steppedWidget } from './stepped.tsx';
import { differencesOf } from './walk.ts';

const place = document.querySelector('#place') ?? document.body;
const screens = byScreen(FIXTURES);
adoptStyles(document);
await loadAll(FIXTURES);

/** What a browser test does on this page. */
const walks = {
  screens: [...screens.keys()],
  pressed: new PressedPage(place, screens),
  translated: (screen: string) => differencesOf(screens.get(screen) ?? [], place),
  /** The fields of a screen that a form around the widget has. */
  async ofHost(screen: string) {
    const form = place.appendChild(document.createElement('form'));
    const found: string[] = [];
    for (const fixture of screens.get(screen) ?? []) {
      const widget = steppedWidget(fixture, form);
      await widget.show(fixture);
      found.push(
        ...fieldsOfHost(form),
        ...[...form.elements].filter((one) => one.matches('input, [type=submit]')).map((one) => one.outerHTML),
      );
      widget.close();
    }
    form.remove();
    return found;
  },
  /** Widgets of different kinds, all at once: in the page, and in two shadow roots. */
  async together(ids: readonly string[]) {
    const hosts = [1, 2].map(() => place.appendChild(document.createElement('div')).attachShadow({ mode: 'open' }));
    const widgets = [place, ...hosts].flatMap((root) =>
      ids.flatMap((id) => {
        const fixture = FIXTURES.find((one) => one.id === id);
        return fixture ? [{ fixture, widget: steppedWidget(fixture, root) }] : [];
      }),
    );
    for (const { fixture, widget } of widgets) {
      adoptStyles(widget.container.getRootNode());
      await widget.show(fixture);
      await widget.show(fixture);
    }
    return { count: widgets.length, crossings: crossings(widgets.map(({ widget }) => widget.container)) };
  },
};

export type Walks = typeof walks;
Object.assign(window, { __walks: walks });
document.documentElement.dataset['ready'] = '';
