import { act } from '@testing-library/react';
import type { Fixture } from '../../gallery/fixture.ts';
import type { PlayedModel } from './show.tsx';

/** Does in a rendered fixture what the gallery does; what the fixture knows of a password holds for what is typed. */
export async function play(
  { container, model }: { readonly container: HTMLElement; readonly model: PlayedModel },
  { acts = [], state: { strength } }: Fixture,
): Promise<void> {
  for (const { click, type, focus } of acts) {
    await act(async () => {
      if (focus) container.querySelector<HTMLElement>(focus)?.focus();
      if (click) container.querySelector<HTMLElement>(click)?.click();
      const field = type && container.querySelector<HTMLInputElement>(type[0]);
      if (!field) return;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, type[1]);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    const { strength: now } = model.getState();
    if (strength !== null && now !== null) model.set({ strength: { ...strength, check: now.check } });
  }
}
