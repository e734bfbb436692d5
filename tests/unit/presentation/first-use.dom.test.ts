import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onFirstUse } from '#presentation/first-use.ts';

let idle: (() => void)[] = [];
let frames: FrameRequestCallback[] = [];

const nextFrame = (): void => {
  for (const callback of frames.splice(0)) callback(0);
};

beforeEach(() => {
  [idle, frames] = [[], []];
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => frames.push(callback));
  Object.assign(window, { requestIdleCallback: (callback: () => void) => idle.push(callback) });
});
afterEach(() => {
  // The next file shares the window.
  vi.restoreAllMocks();
  Reflect.deleteProperty(window, 'requestIdleCallback');
  document.body.replaceChildren();
});

/** A place for a widget, which draws itself when `draw` is called. */
function place() {
  const container = document.body.appendChild(document.createElement('div'));
  const used = vi.fn<() => void>();
  const end = onFirstUse(container, used);
  const draw = (state = 'ready'): HTMLElement => {
    container.dataset['state'] = state;
    container.innerHTML = '<input>';
    nextFrame();
    nextFrame();
    return container.querySelector('input')!;
  };
  return { container, used, end, draw };
}

describe('the first use of a widget', () => {
  it('is when the page is idle, after the form was painted', () => {
    const { used, draw } = place();
    for (let frame = 0; frame < 3; frame += 1) nextFrame();
    expect([used.mock.calls.length, idle.length]).toEqual([0, 0]);
    draw();
    expect(used).not.toHaveBeenCalled();
    for (const callback of idle) callback();
    expect(used).toHaveBeenCalledTimes(1);
  });

  it.each(['pointerover', 'pointerdown', 'focusin', 'keydown', 'input'])('is %s where that is earlier', (type) => {
    const { used, draw } = place();
    const field = draw();
    for (let time = 0; time < 2; time += 1) field.dispatchEvent(new Event(type, { bubbles: true }));
    for (const callback of idle) callback();
    expect(used).toHaveBeenCalledTimes(1);
  });

  it('waits for the texts of another language', () => {
    const { used, draw } = place();
    draw('waiting');
    expect(idle).toEqual([]);
    draw();
    for (const callback of idle) callback();
    expect(used).toHaveBeenCalledTimes(1);
  });

  it('comes a moment later where the browser tells of no idle time', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      Reflect.deleteProperty(window, 'requestIdleCallback');
      const { used, draw } = place();
      draw();
      expect(used).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1_000);
      expect(used).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('comes after a while on a page that is never idle', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const neverIdle = (callback: () => void, { timeout }: IdleRequestOptions = {}): void => {
        if (timeout !== undefined) setTimeout(callback, timeout);
      };
      Object.assign(window, { requestIdleCallback: neverIdle });
      const { used, draw } = place();
      draw();
      vi.advanceTimersByTime(5_000);
      expect(used).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('never comes once the widget is gone', () => {
    const { used, draw, end } = place();
    const field = draw();
    end();
    field.dispatchEvent(new Event('keydown', { bubbles: true }));
    for (const callback of idle) callback();
    expect(used).not.toHaveBeenCalled();
  });
});
