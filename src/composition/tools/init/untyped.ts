import type { App } from './app.ts';
import type { Recipe } from './recipe.ts';

/** The name of the same file in an app without TypeScript. */
export const untypedName = (name: string): string => name.replace(/\.ts(x?)$/u, '.js$1');

/** Whether the app has an entry of the recipe with JavaScript's ending alone. */
export const isUntyped = ({ entries }: Recipe, app: App): boolean =>
  !entries.some((path) => app.read(path) !== null) && entries.some((path) => app.read(untypedName(path)) !== null);

/** The file in JavaScript. Imports name the other files by their names there. */
export const untypedText = (text: string, types: NonNullable<Recipe['types']>): string =>
  types
    .reduce((remainder, [type, instead]) => remainder.replaceAll(type, instead), text)
    .replaceAll(".tsx';", ".jsx';")
    .replaceAll(".ts';", ".js';");
