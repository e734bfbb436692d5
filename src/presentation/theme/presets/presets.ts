import type { Preset, PresetName } from '#domain/widget/theme.ts';
import { compact } from './compact.ts';
import { contrast } from './contrast.ts';
import { modern } from './modern.ts';
import { mono } from './mono.ts';
import { ocean } from './ocean.ts';
import { paper } from './paper.ts';
import { soft } from './soft.ts';
import { warm } from './warm.ts';

/** Every preset by its name. */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  modern,
  soft,
  compact,
  paper,
  mono,
  warm,
  ocean,
  contrast,
};

/** The mark of an element whose preset has just replaced the bars, and how long it stays. */
const ARRIVES = 'data-portico-arrives';
const ARRIVAL_MS = 300;

/** The preset for an element, if there is one of this name. Where it replaces the bars, what it changes must not begin at the default look, which nobody has seen. */
export function presetFor(name: unknown, element: Element): Preset | undefined {
  if (element.getAttribute('data-portico-preset') === '') {
    element.setAttribute(ARRIVES, '');
    setTimeout(() => element.removeAttribute(ARRIVES), ARRIVAL_MS);
  }
  return typeof name === 'string' && Object.hasOwn(PRESETS, name) ? PRESETS[name as PresetName] : undefined;
}
