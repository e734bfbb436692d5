import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { languageOf } from '#domain/widget/language.ts';
import type { PresetName } from '#domain/widget/theme.ts';
import { applyTheme } from '#presentation/theme/apply-theme.ts';
import { PRESETS } from '#presentation/theme/presets/presets.ts';
import { adoptStyles } from '#presentation/theme/stylesheet.ts';
import { Widget } from '#presentation/Widget.tsx';
import { act } from './acts.ts';
import { NOW, type FixtureAction, type Fixture } from './fixture.ts';
import { stillModel } from './still-model.ts';
import type { View } from './view.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** What React does between two acts of a person takes less than this. */
const BETWEEN_ACTS_MS = 30;

/** A fixture that stands in the page. */
export interface ShownFixture {
  readonly root: HTMLElement | ShadowRoot;
  readonly acts: readonly FixtureAction[];
}

/** Plays what somebody does, one fixture after the other: focus is in one of them at a time. */
export async function play(shown: readonly ShownFixture[]): Promise<void> {
  for (const { root, acts } of shown) {
    for (const next of acts) {
      await pause(BETWEEN_ACTS_MS);
      act(root, next);
    }
  }
  await pause(BETWEEN_ACTS_MS);
}

/** Shows one fixture as it is before anybody does anything. */
export function show(fixture: Fixture, view: View, place: HTMLElement, inShadow: boolean): ShownFixture {
  const { id, state, config, styles, strings, dir, acts = [] } = fixture;
  const host = document.createElement('div');
  host.id = `fixture-${id}`;
  host.className = view.width === '' ? 'card' : `card w${view.width}`;
  const side = view.dir || dir;
  if (side) host.dir = side;
  place.append(host);
  const root = inShadow ? host.attachShadow({ mode: 'open' }) : host;
  const container = document.createElement('div');
  root.append(container);
  adoptStyles(root instanceof ShadowRoot ? root : document);
  const preset = Object.hasOwn(PRESETS, view.preset) ? PRESETS[view.preset as PresetName] : undefined;
  applyTheme(
    container,
    preset ? { preset, ...styles } : styles,
    (message) => console.warn(`${id}: ${message}`),
    () => {},
  );
  if (view.scheme !== '' && !container.dataset['porticoScheme']) container.dataset['porticoScheme'] = view.scheme;
  const language = languageOf(view.language) ?? fixture.language;
  // Texts of the host's own run as the page does, so English shows in either direction.
  const words = strings ?? (view.dir && !language ? {} : undefined);
  // At once: hundreds of them take longer than anybody waits before the first act.
  flushSync(() =>
    createRoot(container).render(
      <Widget {...{ model: stillModel(state, NOW), config, styles, strings: words, language }} />,
    ),
  );
  return { root, acts };
}
