import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EarlyScript } from '#composition/early.ts';
import { EARLY } from '#domain/widget/fingerprint.ts';
import { PRERENDERED } from '#domain/widget/prerendered.ts';

const FORM = `<form method="dialog"><input type="email" name="email" autocomplete="email">
  <input type="password" autocomplete="new-password"><button type="submit">Continue</button></form>`;

function place(attribute = ''): HTMLElement {
  const outer = document.createElement('div');
  if (attribute !== '') outer.setAttribute(attribute, '');
  outer.innerHTML = FORM;
  document.body.append(outer);
  return outer;
}
const passwordIn = (outer: Element) => outer.querySelector<HTMLInputElement>('[type=password]')!;
const buttonIn = (outer: Element) => outer.querySelector('button')!;

describe('The form of a new password before its script', () => {
  let take: EarlyScript;
  beforeAll(async () => {
    await import('#composition/early.ts');
    take = Reflect.get(globalThis, Symbol.for(EARLY)) as EarlyScript;
  });
  beforeEach(() => document.body.replaceChildren());

  it('remembers the press and the password, which has no name, also where the widget renders it again', async () => {
    const before = place(PRERENDERED);
    passwordIn(before).value = 'Tall giraffes 77 sing';
    const submitted = vi.fn((event: Event) => event.preventDefault());
    before.addEventListener('submit', submitted);
    buttonIn(before).click();
    expect(submitted).not.toHaveBeenCalled();

    const apply = take(before);
    before.remove();
    const widget = place();
    const pressed = new Promise((resolve) => {
      widget.addEventListener('submit', (event) => {
        event.preventDefault();
        resolve(passwordIn(widget).value);
      });
    });
    apply(widget);
    expect(await pressed).toBe('Tall giraffes 77 sing');
    expect(widget.querySelector<HTMLInputElement>('[name=email]')?.value).toBe('');
  });
});
