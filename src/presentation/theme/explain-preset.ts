import { didYouMean } from '#domain/widget/meant-name.ts';

/** Explains to the developer why a preset given by its name is not shown: the name is unknown, or its file could not be loaded. */
export function explainPreset(name: string, names: readonly string[], warn: (message: string) => void): void {
  warn(
    names.includes(name)
      ? `styles.preset '${name}' shows the default look, because the file of the presets did not load in time. Is every file of the ` +
          "package served, and does the page's Content-Security-Policy allow it? A preset that is imported from portico/themes needs no file."
      : `styles.preset is '${name}', not one of ${names.join(', ')}.${didYouMean(name, names)} The default look is used.`,
  );
}
