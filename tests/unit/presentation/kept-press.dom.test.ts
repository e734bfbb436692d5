import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepPresses } from '#presentation/parts/login/kept-press.ts';

let ending: AbortController;
let widget: HTMLElement;
let button: HTMLElement;
let other: HTMLElement;
const pressed = vi.fn<(name: string) => void>();

/** Puts an element at this place of the page. */
const place = (top: number, left = 0, element: Element = button): void =>
  void vi.spyOn(element, 'getBoundingClientRect').mockReturnValue(new DOMRect(left, top, 100, 40));

interface Point {
  readonly detail?: number;
  readonly button?: number;
  readonly clientX?: number;
  readonly clientY?: number;
}

const point = (target: Element, type: string, where: Point = {}): boolean =>
  target.dispatchEvent(
    new MouseEvent(type, {
      bubbles: true,
      cancelable: true,
      composed: true,
      detail: 1,
      clientX: 50,
      clientY: 20,
      ...where,
    }),
  );

beforeEach(() => {
  document.body.innerHTML = '<div id="widget"><button>One</button><button>Other</button></div><button>Outside</button>';
  widget = document.querySelector<HTMLElement>('#widget')!;
  [button, other] = widget.querySelectorAll('button') as unknown as [HTMLElement, HTMLElement];
  for (const one of document.querySelectorAll('button'))
    one.addEventListener('click', () => pressed(one.textContent ?? ''));
  place(0);
  ending = new AbortController();
  keepPresses(widget, ending.signal);
});
afterEach(() => {
  ending.abort();
  document.body.replaceChildren();
  pressed.mockReset();
});

describe('A press whose button moves away', () => {
  it.each([
    ['nothing', () => widget],
    ['the page', () => document.body],
    ['another button', () => other],
  ])('and that ends on %s is the button’s alone', (_, target) => {
    point(button, 'pointerdown');
    place(80);
    expect(point(target(), 'click')).toBe(false);
    expect(pressed.mock.calls).toEqual([['One']]);
  });

  it('is the button’s, too, when it moves to the side, and when the pointer trembles', () => {
    point(button, 'pointerdown');
    place(0, 80);
    point(other, 'click', { clientX: 56, clientY: 28 });
    expect(pressed.mock.calls).toEqual([['One']]);
  });

  it.each(['<a href="#there">One</a>', '<details><summary>One</summary></details>'])('may be of %s', (html) => {
    widget.insertAdjacentHTML('beforeend', html);
    const pressable = widget.querySelector('a, summary')!;
    pressable.addEventListener('click', () => pressed('One'));
    place(0, 0, pressable);
    point(pressable, 'pointerdown');
    place(80, 0, pressable);
    point(other, 'click');
    expect(pressed.mock.calls).toEqual([['One']]);
  });

  it('counts once', () => {
    point(button, 'pointerdown');
    place(80);
    point(other, 'click');
    point(other, 'click');
    expect(pressed.mock.calls).toEqual([['One'], ['Other']]);
  });

  it('reaches a button in a shadow root', () => {
    const host = document.body.appendChild(document.createElement('div'));
    host.attachShadow({ mode: 'open' }).append(widget);
    point(button, 'pointerdown');
    place(80);
    point(other, 'click');
    expect(pressed.mock.calls).toEqual([['One']]);
  });

  it('is dropped with the widget', () => {
    point(button, 'pointerdown');
    place(80);
    ending.abort();
    point(widget, 'click');
    expect(pressed).not.toHaveBeenCalled();
  });
});

describe('A click elsewhere stays where it is', () => {
  it.each<[string, () => void, Point]>([
    ['the button has not moved', () => undefined, {}],
    ['the pointer was dragged there', () => place(80), { clientY: 100 }],
    ['the pointer was dragged to the side', () => place(80), { clientX: 100 }],
    ['a key made it', () => place(80), { detail: 0 }],
    ['the press was cancelled', () => (place(80), void point(button, 'pointercancel')), {}],
    ['the button is gone', () => (place(80), button.remove()), {}],
    ['the last press began outside', () => (place(80), void point(document.body, 'pointerdown')), {}],
  ])('when %s', (_, happens, where) => {
    point(button, 'pointerdown');
    happens();
    point(other, 'click', where);
    expect(pressed.mock.calls).toEqual([['Other']]);
  });

  it('when another button of the mouse was pressed', () => {
    point(button, 'pointerdown', { button: 2 });
    place(80);
    point(other, 'click');
    expect(pressed.mock.calls).toEqual([['Other']]);
  });

  it('when it is on the button itself, which has moved: the browser’s own click counts', () => {
    point(button, 'pointerdown');
    place(10);
    expect(point(button, 'click')).toBe(true);
    expect(pressed.mock.calls).toEqual([['One']]);
  });

  it('when the button of the press is not the widget’s', () => {
    const outside = document.querySelector('body > button')!;
    point(outside, 'pointerdown');
    vi.spyOn(outside, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 80, 100, 40));
    point(other, 'click');
    expect(pressed.mock.calls).toEqual([['Other']]);
  });
});
