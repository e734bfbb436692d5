import { PRESET_NAMES, type StyleConfig } from '#domain/widget/theme.ts';
import { codeLoad } from '#domain/code-loads.ts';
import type { StringOverrides } from '../../messages/catalogue.ts';
import { warnOfUnknown } from './unknown-strings.ts';

/**
 * Logs a warning about host options that are not shown: texts with unknown keys, and a preset given by its name.
 *
 * @param of identifies the widget
 * @param styled the element with the name of the displayed preset, which is empty while its file loads
 */
export async function warnOfMistakes(
  { strings = {}, styles }: { readonly strings?: StringOverrides; readonly styles?: StyleConfig },
  of: object,
  styled: Element,
  warn: (message: string) => void,
): Promise<void> {
  const preset: unknown = styles?.preset;
  const shows = styled.hasAttribute('data-portico-preset');
  await Promise.all([
    warnOfUnknown(strings, of, warn),
    typeof preset === 'string' &&
      !shows &&
      codeLoad(import('../../theme/explain-preset.ts')).then(({ explainPreset }) =>
        explainPreset(preset, PRESET_NAMES, warn),
      ),
  ]);
}
