import type { Preset, PresetName } from '../../../domain/widget/theme.ts';
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

/** The preset of that name. Any other name logs a warning and gives the default look. */
export function presetNamed(name: string, warn: (message: string) => void): Preset | undefined {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName];
  const names = Object.keys(PRESETS).join(', ');
  warn(`styles.preset is '${name}', not one of ${names}. The default look is used.`);
  return undefined;
}
