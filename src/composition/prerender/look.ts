import { safeImageUrl } from '#domain/safe-url.ts';
import { isRecord } from '#domain/shape.ts';
import {
  PRESET_NAMES,
  rgbOf,
  themeOf,
  VARIABLE,
  type Preset,
  type StyleConfig,
  type Theme,
} from '#domain/widget/theme.ts';
import { explainPreset } from '#presentation/theme/explain-preset.ts';
import { PRESETS } from '#presentation/theme/presets/presets.ts';
import { refuse, type PrerenderMethod } from './options.ts';

/** The path of a value in the styles: `styles.colors.primary`. */
const pathTo = (value: string, at: unknown, path: string): string | undefined =>
  isRecord(at)
    ? Object.entries(at)
        .map(([name, inner]) => pathTo(value, inner, `${path}.${name}`))
        .find(Boolean)
    : typeof at === 'string' && at.includes(value)
      ? path
      : undefined;

/** The colour in the form that `themeOf` compares. Nothing on a server can resolve a colour's name or function. */
function resolve(method: PrerenderMethod, styles: StyleConfig | undefined, color: string): string | null {
  if (VARIABLE.test(color)) return null;
  if (rgbOf(color) === null && !/^#(?:[\da-f]{4}|[\da-f]{8})$/iu.test(color)) {
    refuse(method, `${pathTo(color, styles, 'styles')} must be a hexadecimal colour or rgb(), not ${color}`);
  }
  return color;
}

/** The look of these styles. Throws an `SDKUsageError` that names the field for a value that is not valid. */
export function lookOf(
  method: PrerenderMethod,
  styles: StyleConfig | undefined,
): Theme & { readonly preset: Preset | undefined } {
  const warn = (message: string): void => {
    // A colour that cannot be read is ignored, as in the browser, which logs the warning.
    if (!message.includes('cannot be read')) refuse(method, message);
  };
  const option = styles?.preset;
  const isNamed = typeof option === 'string';
  if (isNamed && !Object.hasOwn(PRESETS, option)) explainPreset(option, PRESET_NAMES, warn);
  const preset = isNamed ? PRESETS[option] : typeof option?.sheets === 'function' ? option : undefined;
  const isLogo = (url: string): boolean => safeImageUrl(url, 'https://page.example/') !== null;
  return { ...themeOf(styles, warn, { resolve: (color) => resolve(method, styles, color), isLogo, preset }), preset };
}
