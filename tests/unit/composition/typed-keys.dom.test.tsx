import { act } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { closeWidgets, open } from './mounted-login.ts';

afterEach(closeWidgets);

it.each([true, false])(
  'the page hears no letter that is typed into a widget, in a shadow root: %s',
  async (enableShadowDOM) => {
    const { client } = open();
    act(() => void client.mountLogin({ elementId: '#login', config: { enableShadowDOM } }));
    const outer = document.querySelector('#login > div');
    const root = outer?.shadowRoot ?? outer;
    const field = await vi.waitFor(() => {
      const input = root?.querySelector('input');
      expect(input).toBeTruthy();
      return input as HTMLInputElement;
    });
    const heard: string[] = [];
    const listening = new AbortController();
    document.addEventListener('keydown', ({ key }) => heard.push(key), listening);
    for (const key of ['p', 'Tab', 'Escape'])
      act(() => void field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true })));
    listening.abort();
    expect(heard).toEqual(['Tab', 'Escape']);
  },
);
