import { PRESET_NAMES, type StyleConfig } from '#domain/widget/theme.ts';
import { codeLoad } from '#domain/code-loads.ts';
import {
  hasText,
  type AccountTexts,
  type FactorTexts,
  type Locale,
  type StringOverrides,
} from '../../messages/catalogue.ts';

/** The keys for which each widget has already logged a warning. */
const warned = new WeakMap<object, Set<string>>();

/** Logs a warning for each unknown key of a host's strings, once per widget (`of` identifies it). */
export async function warnOfUnknown(
  strings: StringOverrides,
  of: object,
  warn: (message: string) => void,
): Promise<void> {
  const before = warned.get(of) ?? new Set();
  warned.set(of, before);
  const doubtful = Object.keys(strings).filter((key) => !hasText(key) && !before.has(key));
  if (doubtful.length === 0) return;
  for (const key of doubtful) before.add(key);
  // The English texts are in many parts, but each translation has all keys in three files. Any language works.
  const files: readonly { readonly es: Locale | AccountTexts | FactorTexts }[] = await Promise.all([
    codeLoad(import('../../messages/es/login.ts')),
    codeLoad(import('../../messages/es/account.ts')),
    codeLoad(import('../../messages/es/factors.ts')),
  ]);
  for (const key of doubtful) {
    if (!files.some(({ es }) => Object.hasOwn(es, key)))
      warn(`strings[${JSON.stringify(key)}] is not a text of the widgets.`);
  }
}

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
